import { legible } from '@gateway/contract/legible';
import { Button, Code, Group, PasswordInput, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type ApiError, request } from '../../api/request.ts';
import { Fault } from '../../ui/fault.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ValidatedForm } from '../../ui/validated-form.tsx';
import { answerText } from './answer-text.ts';

/** What the gateway answered; without a status it was not reached. */
interface Tried {
  readonly status: number | null;
  readonly fault: string | null;
  readonly body: string | null;
}

/** Calls the endpoint as any client does: with the reader's own key, which is sent once and not stored. */
export function TryIt({ endpoint, isReachable }: { endpoint: string; isReachable: boolean }) {
  const form = useForm({ initialValues: { key: '', message: 'Say hello.' } });
  const call = useMutation<Tried, ApiError, typeof form.values>({
    mutationFn: (values) => request('POST', '/api/endpoint-calls', { endpoint, ...values }),
    onError: ({ fields }) => form.setErrors(fields),
  });
  if (!isReachable)
    return (
      <Text size="sm">
        Set <Code>GATEWAY_PUBLIC_URL</Code> where the console runs, and start the console again. Then the endpoint can
        be called from here.
      </Text>
    );
  return (
    <ValidatedForm form={form} submit={(values) => call.mutate(values)} error={call.error}>
      <Stack gap="sm">
        <PasswordInput
          label="Your key"
          description="Your own key or token. It is sent with this call, and not stored or logged."
          required
          autoComplete="off"
          {...form.getInputProps('key')}
        />
        <Textarea label="Message" required autosize minRows={2} {...form.getInputProps('message')} />
        <Group justify="space-between" gap="sm">
          <Text size="xs" c="dimmed" style={{ flex: 1 }}>
            A real call: the gateway decides, records and counts it as yours. It comes from the console's address.
          </Text>
          <Button type="submit" loading={call.isPending}>
            Send
          </Button>
        </Group>
        <Fault error={call.error} />
        {call.data !== undefined && !call.isPending && <TriedAnswer {...call.data} />}
      </Stack>
    </ValidatedForm>
  );
}

function TriedAnswer({ status, fault, body }: Tried) {
  const said = body === null ? null : answerText(body);
  return (
    <Stack gap="xs" align="flex-start" role="status" aria-label="Answer">
      <Group gap="xs">
        <StatusBadge status={status} />
        <Text size="sm" fw={600}>
          {status === null
            ? 'The gateway was not reached'
            : status < 400
              ? 'The engine answered'
              : 'The call was refused'}
        </Text>
      </Group>
      {fault !== null && <Text size="sm">{legible(fault)}</Text>}
      {said !== null && (
        <Code block w="100%" tabIndex={0} style={{ maxHeight: '18em', overflow: 'auto', whiteSpace: 'pre-wrap' }}>
          {legible(said)}
        </Code>
      )}
    </Stack>
  );
}
