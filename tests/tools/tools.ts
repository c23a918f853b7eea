import type { Packages } from '../../toolchain/cached-packages.ts';
import type { ToolCall } from './engine/turn.ts';

/** A developers' tool that npm provides, with its specifics. */
export interface Tool {
  /** Its page in the manual, and its folder in the cache. */
  readonly page: string;
  readonly packages: Packages;
  /** Its program below `node_modules`: the binary itself where an install script would only copy it. */
  readonly program: string;
  /** The command line, after the configuration of the page. */
  readonly command: string;
  /** The call of one of the tool's own functions that reads a file. */
  reads(file: string): ToolCall;
  /** What keeps it from looking for updates and from reporting on its use. */
  readonly environment?: Readonly<Record<string, string>>;
}

const PLATFORM = `${process.platform}-${process.arch}`;
const ASK = '"Which word does note.txt hold?"';

export const TOOLS: readonly Tool[] = [
  {
    page: 'codex',
    packages: { '@openai/codex': '0.169.0' },
    program: '.bin/codex',
    // The tool's sandbox needs rights that a container may not give; only the traffic is tested here.
    command: `codex exec --skip-git-repo-check --sandbox danger-full-access ${ASK}`,
    reads: (file) => ({ tool: 'exec_command', input: { cmd: `cat ${file}` } }),
  },
  {
    page: 'claude-code',
    packages: { '@anthropic-ai/claude-code': '2.1.330' },
    program: `@anthropic-ai/claude-code-${PLATFORM}/claude`,
    command: `claude -p ${ASK}`,
    reads: (file) => ({ tool: 'Read', input: { file_path: file } }),
    environment: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
  },
  {
    page: 'opencode',
    packages: { 'opencode-ai': '1.18.33' },
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
    packages: { '@qwen-code/qwen-code': '0.24.4' },
    program: '.bin/qwen',
    command: `qwen -p ${ASK}`,
    reads: (file) => ({ tool: 'read_file', input: { file_path: file } }),
  },
  {
    page: 'continue',
    packages: { '@continuedev/cli': '1.5.47' },
    program: '.bin/cn',
    command: `cn -p ${ASK}`,
    reads: (file) => ({ tool: 'Read', input: { filepath: file } }),
    environment: { CONTINUE_TELEMETRY_ENABLED: '0' },
  },
  {
    page: 'cline',
    packages: { cline: '3.0.65' },
    program: '.bin/cline',
    command: `cline ${ASK}`,
    reads: (file) => ({ tool: 'read_files', input: { files: [{ path: file }] } }),
    environment: { CLINE_TELEMETRY_DISABLED: '1' },
  },
  {
    page: 'gemini-cli',
    packages: { '@google/gemini-cli': '0.61.0' },
    program: '.bin/gemini',
    command: `gemini -p ${ASK}`,
    reads: (file) => ({ tool: 'read_file', input: { file_path: file } }),
    environment: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  },
  {
    page: 'copilot-cli',
    packages: { '@github/copilot': '1.0.102' },
    program: '.bin/copilot',
    command: `copilot --allow-all-tools -p ${ASK}`,
    reads: (file) => ({ tool: 'view', input: { path: file } }),
  },
];
