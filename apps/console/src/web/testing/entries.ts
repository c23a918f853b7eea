import type { AgentAct, AgentCommand, AgentSession, Decision, Detection } from '../api/objects.ts';

const ID = '01a21d70-6cdb-7462-b456-7954da9b53';
const AT = '2026-01-31T08:00:00.000Z';

// Entries of the logs as the console answers them. A test names only what matters to it.

export const decision = (but: Partial<Decision> = {}): Decision => ({
  sequence: 7,
  id: `${ID}01`,
  at: AT,
  component: 'gateway',
  subject: 'ada',
  credential: 'key',
  keyId: null,
  permission: 'inference:appeler',
  resource: 'endpoint:chat',
  session: null,
  outcome: 'granted',
  reason: 'role',
  status: 200,
  roles: ['utilisateur-standard'],
  policyRevision: null,
  detail: null,
  requestId: null,
  sourceAddress: '192.0.2.7',
  previous: '00',
  digest: '11',
  ...but,
});

export const act = (but: Partial<AgentAct> = {}): AgentAct => ({
  id: `${ID}02`,
  session: 'session-1',
  parentSession: null,
  subject: 'ada',
  at: AT,
  tool: 'read_file',
  target: { kind: 'path', value: '/home/ada/notes.txt' },
  authorizedBy: 'policy',
  outcome: 'succeeded',
  reason: null,
  receivedAt: AT,
  ...but,
});

export const session = (name: string, but: Partial<AgentSession> = {}): AgentSession => ({
  session: name,
  subject: 'ada',
  acts: 12,
  firstAt: AT,
  lastAt: AT,
  standing: 'in force',
  parents: [],
  revocation: null,
  ...but,
});

export const command = (but: Partial<AgentCommand> = {}): AgentCommand => ({
  id: `${ID}03`,
  subject: 'ada',
  session: 'session-1',
  interpreter: 'bash',
  startedAt: AT,
  endedAt: AT,
  cause: null,
  fault: null,
  code: 0,
  signal: null,
  durationMs: 1200,
  stdoutBytes: 10,
  stderrBytes: 0,
  ...but,
});

export const detection = (but: Partial<Detection> = {}): Detection => ({
  id: `${ID}04`,
  at: AT,
  subject: 'ada',
  resource: 'endpoint:chat',
  kind: 'github-token',
  place: 'request',
  pointer: '/messages/0/content',
  response: 'mask',
  decisionId: `${ID}01`,
  rule: 'github-token',
  confidence: 'high',
  start: 10,
  end: 50,
  length: 40,
  occurrences: 1,
  digest: 'ab',
  ...but,
});
