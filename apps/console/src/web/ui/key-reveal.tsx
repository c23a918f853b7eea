import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { Copy } from './copy.tsx';
import { Layer } from './layer.tsx';

/**
 * A new key: shown only once, because only its digest is stored. Only the button closes it, so that no stray click loses the
 * key.
 */
export function KeyReveal({ of, secret, close }: { of: string; secret: string | null; close: () => void }) {
  return (
    <Layer
      opened={secret !== null}
      close={close}
      title={`Key of ${of}`}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size="lg"
    >
      <Stack>
        <Alert color="yellow" variant="light">
          This key is shown once. Only its digest is stored: copy it now and send it over a secure channel.
        </Alert>
        <Group wrap="nowrap">
          <Code block style={{ flex: 1, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {secret}
          </Code>
          <Copy text={secret ?? ''} />
        </Group>
        <Text size="sm" c="dimmed">
          It goes into the caller's tool as its API key.
        </Text>
        <Group justify="flex-end">
          <Button onClick={close}>Done</Button>
        </Group>
      </Stack>
    </Layer>
  );
}
