import { legible } from '@gateway/contract/legible';
import { Alert, Button, Code, Group, PasswordInput, Stack, Tabs, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useMay, useSession } from '../../api/queries.ts';
import { type ApiError, request } from '../../api/request.ts';
import { Copy } from '../../ui/copy.tsx';
import { Fault } from '../../ui/fault.tsx';
import { Layer, useDialog } from '../../ui/layer.tsx';
import { StatusBadge } from '../../ui/outcome.tsx';
import { ValidatedForm } from '../../ui/validated-form.tsx';

const snippets = (gateway: string, endpoint: string) => ({
  curl: `curl ${gateway}/${endpoint}/v1/chat/completions \\
  -H "Authorization: Bearer $GATEWAY_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"messages":[{"role":"user","content":"Hello"}]}'`,
  TypeScript: `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: '${gateway}/${endpoint}/v1',
  apiKey: process.env.GATEWAY_KEY,
});
const answer = await client.chat.completions.create({
  model: '${endpoint}', // replaced by the endpoint's model
  messages: [{ role: 'user', content: 'Hello' }],
});`,
  Python: `import os
from openai import OpenAI

client = OpenAI(base_url="${gateway}/${endpoint}/v1", api_key=os.environ["GATEWAY_KEY"])
answer = client.chat.completions.create(
    model="${endpoint}",  # replaced by the endpoint's model
    messages=[{"role": "user", "content": "Hello"}],
)`,
});

/** Where the gateway is reached, and whether the operator said so: otherwise it is the documented set-up on this host. */
export function useGatewayUrl(): { readonly url: string; readonly isGuess: boolean } {
  const said = useSession()?.gatewayUrl ?? null;
  return { url: said ?? `http://${location.hostname}:6001`, isGuess: said === null };
}

/** Ready lines for calling an endpoint. */
export function Snippets({ endpoint }: { endpoint: string }) {
  const { opened, made, open, close } = useDialog();
  const { url, isGuess } = useGatewayUrl();
  // A page of the console calls from the console's own address, which callers must not choose.
  const mayTry = useMay('endpoints:administrer') === true;
  const texts = Object.entries(snippets(url, endpoint));
  return (
    <>
      <Button size="compact-sm" variant="subtle" onClick={open} aria-label={`Call it: ${endpoint}`}>
        Call it
      </Button>
      {made && (
        <Layer opened={opened} close={close} title={`Call /${endpoint}`} size="lg">
          <Stack>
            {isGuess && (
              <Alert color="yellow" variant="light" title="The gateway's address is a guess">
                <Text size="sm">
                  Set <Code>GATEWAY_PUBLIC_URL</Code> where the console runs to the address that callers use; it is
                  shown here then.
                </Text>
              </Alert>
            )}
            <Tabs defaultValue="curl">
              <Tabs.List>
                {texts.map(([name]) => (
                  <Tabs.Tab key={name} value={name}>
                    {name}
                  </Tabs.Tab>
                ))}
                {mayTry && <Tabs.Tab value="try">Try it</Tabs.Tab>}
              </Tabs.List>
              {texts.map(([name, text]) => (
                <Tabs.Panel key={name} value={name} pt="sm">
                  <Code block>{text}</Code>
                  <Group justify="flex-end" mt="xs">
                    <Copy text={text} size="xs" />
                  </Group>
                </Tabs.Panel>
              ))}
              {mayTry && (
                <Tabs.Panel value="try" pt="sm">
                  <TryIt endpoint={endpoint} isReachable={!isGuess} />
                </Tabs.Panel>
              )}
            </Tabs>
          </Stack>
        </Layer>
      )}
    </>
  );
}

/** What the gateway answered; without a status it was not reached. */
interface Tried {
  readonly status: number | null;
  readonly fault: string | null;
  readonly body: string | null;
}

/** Calls the endpoint as any client does: with the reader's own key, which is sent once and not stored. */
function TryIt({ endpoint, isReachable }: { endpoint: string; isReachable: boolean }) {
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

/** The part of an answer, or of a refusal, that a person reads. */
interface Read {
  readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[];
  readonly error?: unknown;
}

function partText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const { message } = (value ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' ? message : null;
}

/** What an answer says: the first choice of a completion, the sentence of a refusal; anything else as it came. */
export function answerText(body: string): string {
  try {
    const { choices, error } = (JSON.parse(body) ?? {}) as Read;
    return partText(choices?.[0]?.message?.content) ?? partText(error) ?? body;
  } catch {
    return body;
  }
}
