import type { ToolCall } from './engine/turn.ts';

/** A developers' tool that npm provides, with its specifics. */
export interface Tool {
  /** Its page in the manual, and its folder in the cache. */
  readonly page: string;
  /** Names of its packages, the tool itself first; `versions.ts` has their versions. */
  readonly packages: readonly string[];
  /** Its program below `node_modules`: the binary itself where an install script would only copy it. Null: the page's own program. */
  readonly program: string | null;
  /** The command line, after the configuration of the page. */
  readonly command: string;
  /** The call of one of the tool's own functions that reads a file. */
  reads(file: string): ToolCall;
  /** What keeps it from looking for updates and from reporting on its use. */
  readonly environment?: Readonly<Record<string, string>>;
}

const PLATFORM = `${process.platform}-${process.arch}`;
const ASK = '"Which word does note.txt hold?"';
/** A program of the page, with a library. */
const PROGRAM = `node ~/agent.mjs ${ASK}`;
const readNote = (path: string): ToolCall => ({ tool: 'read_note', input: { path } });

export const TOOLS: readonly Tool[] = [
  {
    page: 'codex',
    packages: ['@openai/codex'],
    program: '.bin/codex',
    // The tool's sandbox needs rights that a container may not give; only the traffic is tested here.
    command: `codex exec --skip-git-repo-check --sandbox danger-full-access ${ASK}`,
    reads: (file) => ({ tool: 'exec_command', input: { cmd: `cat ${file}` } }),
  },
  {
    page: 'claude-code',
    packages: ['@anthropic-ai/claude-code'],
    program: `@anthropic-ai/claude-code-${PLATFORM}/claude`,
    command: `claude -p ${ASK}`,
    reads: (file) => ({ tool: 'Read', input: { file_path: file } }),
    environment: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
  },
  {
    page: 'opencode',
    packages: ['opencode-ai'],
    program: `opencode-${PLATFORM}/bin/opencode`,
    command: `opencode run ${ASK}`,
    reads: (file) => ({ tool: 'read', input: { filePath: file } }),
    environment: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    },
  },
  {
    page: 'qwen-code',
    packages: ['@qwen-code/qwen-code'],
    program: '.bin/qwen',
    command: `qwen -p ${ASK}`,
    reads: (file) => ({ tool: 'read_file', input: { file_path: file } }),
  },
  {
    page: 'continue',
    packages: ['@continuedev/cli'],
    program: '.bin/cn',
    command: `cn -p ${ASK}`,
    reads: (file) => ({ tool: 'Read', input: { filepath: file } }),
    environment: { CONTINUE_TELEMETRY_ENABLED: '0' },
  },
  {
    page: 'cline',
    packages: ['cline'],
    program: '.bin/cline',
    command: `cline ${ASK}`,
    reads: (file) => ({ tool: 'read_files', input: { files: [{ path: file }] } }),
    environment: { CLINE_TELEMETRY_DISABLED: '1' },
  },
  {
    page: 'gemini-cli',
    packages: ['@google/gemini-cli'],
    program: '.bin/gemini',
    command: `gemini -p ${ASK}`,
    reads: (file) => ({ tool: 'read_file', input: { file_path: file } }),
    environment: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  },
  {
    page: 'copilot-cli',
    packages: ['@github/copilot'],
    program: '.bin/copilot',
    command: `copilot --allow-all-tools -p ${ASK}`,
    reads: (file) => ({ tool: 'view', input: { path: file } }),
  },
  {
    page: 'pi',
    packages: ['@earendil-works/pi-coding-agent'],
    program: '.bin/pi',
    command: `pi -p ${ASK}`,
    reads: (path) => ({ tool: 'read', input: { path } }),
    environment: { PI_OFFLINE: '1' },
  },
  {
    page: 'kilo',
    packages: [`@kilocode/cli-${PLATFORM}`],
    program: `@kilocode/cli-${PLATFORM}/bin/kilo`,
    command: `kilo run --auto ${ASK}`,
    reads: (file) => ({ tool: 'read', input: { filePath: file } }),
    environment: { KILO_DISABLE_AUTOUPDATE: '1', KILO_DISABLE_MODELS_FETCH: '1' },
  },
  {
    page: 'openclaw',
    packages: ['openclaw'],
    program: '.bin/openclaw',
    command: `openclaw agent --local --agent main --message ${ASK}`,
    reads: (path) => ({ tool: 'read', input: { path } }),
  },
  {
    page: 'droid',
    packages: [`@factory/cli-${PLATFORM}`],
    program: `@factory/cli-${PLATFORM}/bin/droid`,
    command: `droid ${ASK}`,
    reads: (file) => ({ tool: 'Read', input: { file_path: file } }),
  },
  {
    page: 'claude-agent-sdk',
    packages: ['@anthropic-ai/claude-agent-sdk'],
    program: null,
    command: PROGRAM,
    reads: (file) => ({ tool: 'Read', input: { file_path: file } }),
    environment: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
  },
  {
    page: 'codex-sdk',
    packages: ['@openai/codex-sdk'],
    program: null,
    command: PROGRAM,
    reads: (file) => ({ tool: 'exec_command', input: { cmd: `cat ${file}` } }),
  },
  {
    page: 'openai-agents',
    packages: ['@openai/agents', 'openai', 'zod'],
    program: null,
    command: PROGRAM,
    reads: readNote,
  },
  {
    page: 'vercel-ai-sdk',
    packages: ['ai', '@ai-sdk/openai-compatible', 'zod'],
    program: null,
    command: PROGRAM,
    reads: readNote,
  },
  {
    page: 'langchain',
    packages: ['@langchain/openai', '@langchain/core', 'zod'],
    program: null,
    command: PROGRAM,
    reads: readNote,
  },
  { page: 'mastra', packages: ['@mastra/core', 'zod'], program: null, command: PROGRAM, reads: readNote },
  { page: 'google-genai', packages: ['@google/genai'], program: null, command: PROGRAM, reads: readNote },
];
