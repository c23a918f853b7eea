import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCommands } from './commands.ts';

export const FORBID = '@id("not bob")\nforbid(principal == Subject::"bob", action, resource);\n';
/** A configuration with an entry of every kind. */
export const WHOLE = `version: 1
providers:
  - slug: local
    name: Local engine
    baseUrl: http://127.0.0.1:8080/v1
    clearTextAcknowledged: true
  - { slug: cloud, name: "Cloud: é", baseUrl: https://engines.example, apiKeyEnv: CLOUD_KEY, apiKeyHeader: x-api-key }
models:
  - { provider: local, slug: qwen3, name: Qwen 3, inputPrice: 0, outputPrice: 0.0000025, cachedInputPrice: 1e-7 }
  - { provider: cloud, slug: qwen3, name: Qwen 3, inputPrice: 0, outputPrice: 0 }
endpoints:
  - { name: chat, provider: local, model: qwen3, standby: { provider: cloud, model: qwen3 }, paths: [/chat/completions] }
  - { name: other, provider: cloud, model: qwen3, active: false }
plans:
  - { slug: team, name: Team, monthlyCap: 12.5 }
  - { slug: free, name: Free, monthlyCap: null }
accounts:
  - { username: alice, plan: team, displayName: Alice, email: alice@example.com }
  - { username: bob, enabled: false }
roles:
  - { subject: alice, role: utilisateur-standard }
  - { subject: paul, role: administrateur-de-projet, project: north }
projects:
  - { project: north, members: [alice, paul] }
authorizationPolicy: |
  @id("not bob")
  forbid(principal == Subject::"bob", action, resource);
organizations:
  - slug: acme
    name: Acme
    policy:
      document: { tools: { exclude: [shell] }, models: { providers: [local] } }
      validUntil: 2040-01-01T01:00:00+01:00
  - { slug: quiet, name: Quiet }
`;

/** An instance whose configuration is applied and exported. */
export async function openConfiguration() {
  const commands = await openCommands();
  return {
    ...commands,
    /** Writes a file of a configuration; returns its path. */
    file(text: string, name = 'configuration.yaml'): string {
      const path = join(commands.directory, name);
      writeFileSync(path, text);
      return path;
    },
    exported: async (): Promise<string> => (await commands.ctl('export')).out,
    /** The recorded administration actions, oldest first. */
    acts: async (): Promise<{ act: string; author: string }[]> => [
      ...(await commands.database.sql<{ act: string; author: string }[]>`
        select action || ' ' || target as act, author from administration_actions order by sequence`),
    ],
  };
}

export type Configuration = Awaited<ReturnType<typeof openConfiguration>>;
