import { createHash } from 'node:crypto';
import type { Question, RecordWriter } from '../agent/types.ts';
import { type Consent, howOf } from '../mcp/servers.ts';
import type { ServerConfiguration } from '../mcp/types.ts';
import type { Approvals } from '../permissions/approvals.ts';
import { maskSecrets } from '../redaction/mask.ts';

const ONCE = 'Start it in this session';
const ALWAYS = 'Always start it in this project';
const NO = 'Do not start it';

/**
 * Asks the person before a server starts that only the project's configuration names. Where nobody can be asked, it
 * starts only if it was always approved in this project, with exactly this configuration.
 */
export function projectServerConsent({
  approvals,
  record,
  ask,
}: {
  readonly approvals: Approvals;
  readonly record: RecordWriter;
  readonly ask: ((question: Question) => Promise<string | null>) | null;
}): Consent {
  return async (server) => {
    const key = keyOf(server);
    if ((await approvals.known()).has(key)) return true;
    if (ask === null) return false;
    const question = `The configuration of this project wants to start the MCP server ${server.name}: ${howOf(server)}. It would run with your rights. Start it?`;
    const answer = (await ask({ question, options: [ONCE, ALWAYS, NO] }))?.trim() ?? NO;
    const always = answer === ALWAYS || /^always$/i.test(answer);
    const approved = always || answer === ONCE || /^(?:y|yes)$/i.test(answer);
    const remembered = approved ? { remembered: always ? 'project' : 'session' } : {};
    await record.append({
      kind: 'human-decision',
      tool: `MCP server ${server.name}`,
      target: howOf(server),
      decision: approved ? 'allow' : 'deny',
      ...remembered,
    });
    // A consent that cannot be stored counts for the session.
    if (always) await approvals.add([key], 'project').catch(() => approvals.add([key], 'session'));
    else if (approved) await approvals.add([key], 'session');
    return approved;
  };
}

/** Everything that decides what would run. Values of variables may be secrets: only their digest is stored. */
function keyOf(server: ServerConfiguration): string {
  const { name, command, args = [], env = {}, cwd, url, type } = server;
  const variables = Object.entries(env).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const whole = JSON.stringify([name, command, args, variables, cwd, url, type]);
  const digest = createHash('sha256').update(whole).digest('hex');
  return JSON.stringify(['MCP server', name, maskSecrets(howOf(server)).text, digest]);
}
