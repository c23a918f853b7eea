import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A command-line agent that is measured. */
export interface Tool {
  readonly name: string;
  /** The program and the words before its own options. */
  readonly line: readonly string[];
}

interface Peer {
  readonly package: string;
  readonly version: string;
  /** Paths below node_modules, in the order in which they are tried: some packages bring a program for each platform. */
  readonly programs: readonly string[];
  /** It is JavaScript, run by the same Node.js. */
  readonly script: boolean;
}

const PLATFORM = `${process.platform}-${process.arch}`;
const PEERS: readonly Peer[] = [
  { package: '@continuedev/cli', version: '1.5.47', programs: ['@continuedev/cli/dist/cn.js'], script: true },
  { package: '@google/gemini-cli', version: '0.61.0', programs: ['@google/gemini-cli/bundle/gemini.js'], script: true },
  { package: 'opencode-ai', version: '1.18.33', programs: [`opencode-${PLATFORM}/bin/opencode`], script: false },
  { package: '@openai/codex', version: '0.169.0', programs: ['@openai/codex/bin/codex.js'], script: true },
];
const FOLDER = path.resolve('.cache/bench-client');

/** The peers, installed on first use, and a message for those that cannot be. */
export function installedPeers(): { readonly tools: readonly Tool[]; readonly absent: readonly string[] } {
  const tools: Tool[] = [];
  const absent: string[] = [];
  for (const peer of PEERS) {
    const fault = install(peer);
    const program = peer.programs
      .map((each) => path.join(FOLDER, 'node_modules', each))
      .find((each) => existsSync(each));
    if (program === undefined) absent.push(`${peer.package}: ${fault ?? `it brings no program for ${PLATFORM}`}`);
    else tools.push({ name: peer.package, line: peer.script ? [process.execPath, program] : [program] });
  }
  return { tools, absent };
}

/** @returns why it could not be installed; null where it is. */
function install({ package: name, version }: Peer): string | null {
  if (existsSync(path.join(FOLDER, 'node_modules', name))) return null;
  mkdirSync(FOLDER, { recursive: true });
  if (!existsSync(path.join(FOLDER, 'package.json')))
    writeFileSync(path.join(FOLDER, 'package.json'), '{"private":true}');
  const args = ['install', '--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`];
  const { status, stderr } = spawnSync('npm', args, { cwd: FOLDER, encoding: 'utf8' });
  return status === 0 ? null : `it could not be installed: ${stderr.trim().slice(-300)}`;
}
