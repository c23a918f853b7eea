/** What a kind of engine usually needs; the address stays editable. */
export interface Preset {
  readonly name: string;
  readonly baseUrl: string;
  /** A name for the gateway's variable with the key; empty where the engine needs none. */
  readonly keyVariable: string;
  /** Empty: `authorization`, with `Bearer`. */
  readonly keyHeader: string;
}

const local = (name: string, port: number): Preset => ({
  name,
  baseUrl: `http://localhost:${port}`,
  keyVariable: '',
  keyHeader: '',
});

const hosted = (name: string, baseUrl: string, keyVariable: string, keyHeader = ''): Preset => ({
  name,
  baseUrl,
  keyVariable,
  keyHeader,
});

/** The engines of the manual's table, in its order. */
export const PRESETS: readonly Preset[] = [
  local('Ollama', 11_434),
  local('vLLM', 8000),
  local('llama.cpp', 8080),
  local('LM Studio', 1234),
  local('SGLang', 30_000),
  local('Text Generation Inference', 8080),
  local('LiteLLM', 4000),
  local('NVIDIA NIM, TensorRT-LLM', 8000),
  local('Triton', 9000),
  hosted('OpenAI', 'https://api.openai.com', 'OPENAI_API_KEY'),
  hosted('Anthropic', 'https://api.anthropic.com', 'ANTHROPIC_API_KEY', 'x-api-key'),
  hosted('Azure OpenAI', 'https://RESOURCE.openai.azure.com/openai', 'AZURE_OPENAI_API_KEY', 'api-key'),
  hosted('AWS Bedrock', 'https://bedrock-runtime.REGION.amazonaws.com/openai', 'BEDROCK_API_KEY'),
  hosted('Mistral', 'https://api.mistral.ai', 'MISTRAL_API_KEY'),
  hosted('DeepSeek', 'https://api.deepseek.com', 'DEEPSEEK_API_KEY'),
  hosted('Groq', 'https://api.groq.com/openai', 'GROQ_API_KEY'),
  hosted('OpenRouter', 'https://openrouter.ai/api', 'OPENROUTER_API_KEY'),
  hosted('xAI', 'https://api.x.ai', 'XAI_API_KEY'),
  hosted('Together', 'https://api.together.xyz', 'TOGETHER_API_KEY'),
  hosted('Fireworks', 'https://api.fireworks.ai/inference', 'FIREWORKS_API_KEY'),
  hosted('Cohere', 'https://api.cohere.ai/compatibility', 'COHERE_API_KEY'),
  hosted('Gemini', 'https://generativelanguage.googleapis.com/v1beta/openai', 'GEMINI_API_KEY'),
];
