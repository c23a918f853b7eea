import { Alert, Button, Code, Group, Stack, Tabs, Text } from '@mantine/core';
import { useSession } from '../../api/session.ts';
import { Copy } from '../../ui/copy.tsx';
import { Layer } from '../../ui/layer.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { TryIt } from './try-it.tsx';

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
                <Tabs.Tab value="try">Try it</Tabs.Tab>
              </Tabs.List>
              {texts.map(([name, text]) => (
                <Tabs.Panel key={name} value={name} pt="sm">
                  <Code block>{text}</Code>
                  <Group justify="flex-end" mt="xs">
                    <Copy text={text} size="xs" />
                  </Group>
                </Tabs.Panel>
              ))}
              <Tabs.Panel value="try" pt="sm">
                <TryIt endpoint={endpoint} isReachable={!isGuess} />
              </Tabs.Panel>
            </Tabs>
          </Stack>
        </Layer>
      )}
    </>
  );
}
