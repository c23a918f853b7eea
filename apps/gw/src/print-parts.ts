// What every `gw -p` loads on its way to the first request. The build makes one part of it.
export { session } from './cli/session/command.ts';
export { runHeadless } from './cli/session/headless.ts';
export { runSession } from './cli/session/run.ts';
export { maskLine } from './redaction/mask-line.ts';
export { createTools } from './tools/tools.ts';
