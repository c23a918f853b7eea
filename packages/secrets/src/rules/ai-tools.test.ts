import { describe, expect, it } from 'vitest';
import { read, written } from '../testing/written.ts';

/** Where developers keep keys of tools around models. */
const SECRETS = [
  [
    'an environment file of an agent',
    `LANGCHAIN_TRACING_V2=true
LANGCHAIN_API_KEY=«langsmith-key lsv2_pt_[a-f0-9]{32}_[a-f0-9]{10}»
PINECONE_API_KEY=«pinecone-key pcsk_[A-Za-z0-9]{6}_[A-Za-z0-9]{63}»
TAVILY_API_KEY=«tavily-key tvly-dev-[A-Za-z0-9]{32}»
FIRECRAWL_API_KEY=«firecrawl-key fc-[a-f0-9]{32}»
E2B_API_KEY=«e2b-key e2b_[a-f0-9]{40}»
`,
  ],
  [
    'servers of the Model Context Protocol',
    `{
  "mcpServers": {
    "brave": { "command": "npx", "env": { "BRAVE_API_KEY": "«brave-key BSA[A-Za-z0-9_-]{28}»" } },
    "docs": { "url": "https://mcp.context7.com/mcp", "headers": { "CONTEXT7_API_KEY": "«context7-key ctx7sk-{uuid}»" } }
  }
}`,
  ],
  [
    'the file of Modal',
    `[default]
token_id = "«modal-token ak-[A-Za-z0-9]{22}»"
token_secret = "«modal-token as-[A-Za-z0-9]{22}»"
active = true
`,
  ],
  [
    'tracing in code',
    `const langfuse = new Langfuse({
  publicKey: 'pk-lf-0',
  secretKey: '«langfuse-key sk-lf-{uuid}»',
  baseUrl: 'https://cloud.langfuse.com',
});`,
  ],
  ['a training script', 'WANDB_API_KEY=«weights-biases-key [a-f0-9]{40}» python train.py --epochs 3'],
  [
    'headers of a proxy for models',
    `default_headers={"Helicone-Auth": "Bearer «bearer-authorization sk-helicone-[a-z0-9]{7}-[a-z0-9]{7}-[a-z0-9]{7}-[a-z0-9]{7}»"}`,
  ],
  ['an answer of RunPod', '{"data":{"myself":{"apiKeys":[{"value":"«runpod-key rpa_[A-Z0-9]{40}[a-z0-9]{6}»"}]}}}'],
  [
    'a chart of a chat application',
    `config:
  dify:
    apiKey: «dify-key app-[A-Za-z0-9]{24}»
  llamaCloud:
    apiKey: "«llamacloud-key llx-[A-Za-z0-9_-]{48}»"
  mem0:
    apiKey: 'm0-0'
`,
  ],
  [
    'a script of a team',
    `export CURSOR_API_KEY="«cursor-key key_[a-f0-9]{64}»"; export DEVIN_API_KEY="«devin-key cog_[a-z0-9]{52}»"`,
  ],
  [
    'a log of an agent',
    `2026-01-02T10:11:12Z DEBUG headers={'authorization': 'Bearer «openpipe-key opk_[a-f0-9]{42}»', 'x-trace': '1'}`,
  ],
] as const;

const NONE = [
  ['public keys of tracing', 'LANGFUSE_PUBLIC_KEY=pk-lf-«- {uuid}»'],
  ['the address of an index', 'host: https://docs-«- [a-z0-9]{7}».svc.aped-4627-b74a.pinecone.io'],
  ['identifiers of runs', 'wandb: View run at https://wandb.ai/acme/shop/runs/«- [a-z0-9]{8}»'],
  ['identifiers of traces', '{"trace_id":"«- {uuid}»","run_id":"«- {uuid}»","session_id":"«- {uuid}»"}'],
  ['a template', 'TAVILY_API_KEY=tvly-YOUR_API_KEY\nFIRECRAWL_API_KEY=fc-YOUR_API_KEY\nE2B_API_KEY=e2b_***'],
  [
    'names of applications and data sets',
    'kubectl rollout restart deploy/app-recommendation-service dataset-customer-churn-2024',
  ],
  ['a branch', 'git switch local-development-environment-improvements'],
  ['names of components', 'key_press_handler, key_value_store_backend, apk_signature_verification'],
] as const;

describe('keys of tools around models', () => {
  it.each(SECRETS)('are found and masked, and nothing else, in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });

  it.each(NONE)('are not suspected in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });
});
