import type { AgentAct } from '@gateway/contract';
import { v7 as uuid } from 'uuid';

/** A tool call as a workstation reports it, with changes. */
export function anAct(change: Partial<AgentAct> = {}): AgentAct {
  return {
    id: uuid(),
    session: 'one',
    subject: 'somebody',
    at: '2026-01-31T10:00:00.000Z',
    tool: 'read_file',
    target: { kind: 'path', value: 'src/index.ts' },
    authorizedBy: 'human',
    outcome: 'succeeded',
    ...change,
  };
}
