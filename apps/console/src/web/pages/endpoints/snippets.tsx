import { Button, Code, Group, Stack, Tabs, Text } from '@mantine/core';
import { Copy } from '../../ui/copy.tsx';
import { Layer } from '../../ui/layer.tsx';
import { useDialog } from '../../ui/use-dialog.ts';

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

/** Ready lines for calling an endpoint. The gateway's address is the one of the documented set-up on this host. */
export function Snippets({ endpoint }: { endpoint: string }) {
  const { opened, made, open, close } = useDialog();
  const texts = Object.entries(snippets(`http://${location.hostname}:6001`, endpoint));
  return (
    <>
      <Button size="compact-sm" variant="subtle" onClick={open} aria-label={`Call it: ${endpoint}`}>
        Call it
      </Button>
      {made && (
        <Layer opened={opened} close={close} title={`Call /${endpoint}`} size="lg">
          <Stack>
            <Text size="sm" c="dimmed">
              The address is that of the documented set-up on this host. Where the gateway listens elsewhere, put its
              address in.
            </Text>
            <Tabs defaultValue="curl">
              <Tabs.List>
                {texts.map(([name]) => (
                  <Tabs.Tab key={name} value={name}>
                    {name}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              {texts.map(([name, text]) => (
                <Tabs.Panel key={name} value={name} pt="sm">
                  <Code block>{text}</Code>
                  <Group justify="flex-end" mt="xs">
                    <Copy text={text} size="xs" />
                  </Group>
                </Tabs.Panel>
              ))}
            </Tabs>
          </Stack>
        </Layer>
      )}
    </>
  );
}
