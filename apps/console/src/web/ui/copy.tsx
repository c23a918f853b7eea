import { Alert, Button, type ButtonProps, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Layer } from './layer.tsx';

const SAYS = { ready: 'Copy', done: 'Copied', failed: 'Select and copy it' } as const;

/**
 * Puts a text on the clipboard. Browsers hand `navigator.clipboard` to pages over TLS and of this machine alone; a console that is
 * served in the clear copies as browsers always could, by a text that is selected.
 */
async function copy(text: string, beside: HTMLElement): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.style.cssText = 'position: fixed; opacity: 0';
  // Inside the dialog it was asked from, which lets the focus go nowhere else.
  beside.after(area);
  area.select();
  try {
    return document.execCommand('copy');
  } finally {
    area.remove();
    beside.focus();
  }
}

/** Saves a text to a file of the person. */
export function saveText(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A button that copies a text, and says whether it did. */
export function Copy({ text, label, size }: { text: string; label?: string } & Pick<ButtonProps, 'size'>) {
  const [state, setState] = useState<keyof typeof SAYS>('ready');
  return (
    <Button
      variant="default"
      {...(size === undefined ? {} : { size })}
      aria-live="polite"
      onClick={({ currentTarget }) => {
        copy(text, currentTarget).then(
          (done) => setState(done ? 'done' : 'failed'),
          () => setState('failed'),
        );
      }}
      onBlur={() => setState('ready')}
    >
      {state === 'ready' && label !== undefined ? label : SAYS[state]}
    </Button>
  );
}

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
