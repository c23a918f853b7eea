import { describe, expect, it } from 'vitest';
import { read, written } from '../testing/written.ts';

/** Files, commands and code in which developers keep keys of model providers. */
const SECRETS = [
  [
    'an environment file of several providers',
    `OPENAI_API_KEY=«openai-key sk-proj-[A-Za-z0-9_-]{60}T3BlbkFJ[A-Za-z0-9_-]{60}»
ANTHROPIC_API_KEY=«anthropic-key sk-ant-api03-[A-Za-z0-9_-]{93}AA»
GROQ_API_KEY=«groq-key gsk_[A-Za-z0-9]{52}»
OPENROUTER_API_KEY=«openrouter-key sk-or-v1-[a-f0-9]{64}»
DEEPSEEK_API_KEY=«sk-key sk-[a-f0-9]{32}»
GEMINI_API_KEY=«google-api-key AIza[A-Za-z0-9_-]{35}»
`,
  ],
  [
    'Python that makes a client',
    `from openai import OpenAI
client = OpenAI(api_key="«openai-key sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}»")
print(client.models.list())
`,
  ],
  [
    'TypeScript that makes a client',
    `const anthropic = new Anthropic({
  apiKey: process.env.KEY ?? '«anthropic-key sk-ant-api03-[A-Za-z0-9_-]{93}AA»',
});`,
  ],
  [
    'a request with curl',
    `curl https://api.openai.com/v1/chat/completions \\
  -H "Authorization: Bearer «bearer-authorization sk-svcacct-[A-Za-z0-9_-]{120}»" \\
  -d '{"model":"gpt-4o"}'`,
  ],
  [
    'a request with the header of Anthropic',
    `curl https://api.anthropic.com/v1/messages -H 'x-api-key: «anthropic-key sk-ant-api03-[A-Za-z0-9_-]{93}AA»' -H 'anthropic-version: 2023-06-01'`,
  ],
  [
    'the settings of an editor',
    `{
  // models
  "aider.apiKeys": { "openrouter": "«openrouter-key sk-or-v1-[a-f0-9]{64}»", "xai": "«xai-key xai-[A-Za-z0-9]{80}»" },
  "editor.fontSize": 13
}`,
  ],
  [
    'a LiteLLM configuration',
    `model_list:
  - model_name: fast
    litellm_params:
      model: cerebras/llama3.1-8b
      api_key: «cerebras-key csk-[a-z0-9]{48}»
general_settings:
  master_key: «litellm-key sk-[A-Za-z0-9_-]{22}»
`,
  ],
  [
    'a login on the command line',
    `huggingface-cli login --token «huggingface-token hf_[A-Za-z0-9]{34}» --add-to-git-credential
export REPLICATE_API_TOKEN=«replicate-token r8_[A-Za-z0-9]{37}»`,
  ],
  [
    'a compose file',
    `services:
  worker:
    environment:
      - NVIDIA_API_KEY=«nvidia-key nvapi-[A-Za-z0-9_-]{64}»
      - PPLX_API_KEY=«perplexity-key pplx-[A-Za-z0-9]{48}»
      - TOGETHER_API_KEY=«together-key tgp_v1_[A-Za-z0-9_-]{43}»
`,
  ],
  [
    'the error message of a provider',
    `openai.AuthenticationError: Error code: 401 - {'error': {'message': 'Incorrect API key provided: «openai-key sk-proj-[A-Za-z0-9_-]{110}». You can find your API key at https://platform.openai.com/account/api-keys.'}}`,
  ],
  [
    'a notebook cell',
    `{"cell_type":"code","source":["import os\\n","os.environ['VOYAGE_API_KEY'] = '«voyage-key pa-[A-Za-z0-9_-]{43}»'\\n"],"outputs":[]}`,
  ],
  [
    'a configuration of coding plans',
    `[providers.kimi]
api_key = "«plan-key sk-kimi-[A-Za-z0-9]{64}»"
[providers.jina]
api_key = "«jina-key jina_[a-f0-9]{32}[A-Za-z0-9_-]{28}»"
`,
  ],
  [
    'voice settings',
    `ELEVENLABS_API_KEY='«elevenlabs-key sk_[a-f0-9]{48}»'\nCARTESIA_API_KEY='«cartesia-key sk_car_[A-Za-z0-9]{28}»'`,
  ],
] as const;

const NONE = [
  ['a setup guide', 'export OPENAI_API_KEY="sk-..."\nexport ANTHROPIC_API_KEY=sk-ant-api03-xxxxxxxxxxxxxxxx'],
  ['a shortened key in an answer', 'Incorrect API key provided: sk-proj-********************************wxyz.'],
  ['a template', 'OPENAI_API_KEY=sk-your-openai-api-key-here\nGROQ_API_KEY=gsk_your_groq_key_goes_here'],
  ['code that reads a variable', 'client = OpenAI(api_key=os.environ["OPENAI_API_KEY"], base_url=base)'],
  ['identifiers of answers', '{"id":"chatcmpl-«- [A-Za-z0-9]{29}»","system_fingerprint":"fp_«- [a-f0-9]{10}»"}'],
  ['identifiers of messages', '{"id":"msg_01«- [A-Za-z0-9]{22}»","request_id":"req_011C«- [A-Za-z0-9]{20}»"}'],
  ['identifiers of calls of tools', '{"id":"call_«- [A-Za-z0-9]{24}»","tool_use_id":"toolu_01«- [A-Za-z0-9]{22}»"}'],
  [
    'the name of a model',
    '{"model":"claude-3-5-sonnet-20241022","fallback":"accounts/fireworks/models/llama-v3p1-405b-instruct"}',
  ],
  ['the checksum of weights', 'sha256:«- [a-f0-9]{64}» /root/.ollama/models/blobs'],
  ['style sheets of a loading sign', '<div class="sk-circle-fade sk-chase-dot sk-folding-cube"></div>'],
  [
    'words that begin like keys',
    'task-management-and-scheduling-for-large-teams, risk-assessment-of-third-party-suppliers',
  ],
  ['fake keys of a test', "const key = 'sk-test-1234567890abcdef1234567890abcdef'; // fake"],
] as const;

describe('keys of model providers', () => {
  it.each(SECRETS)('are found and masked, and nothing else, in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });

  it.each(NONE)('are not suspected in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });
});
