import { describe, expect, it } from 'vitest';
import { type Ready, sentences } from './ready.ts';

const HOSTED: Ready = {
  profile: 'serverless',
  gateway: 'http://127.0.0.1:6001',
  console: 'http://127.0.0.1:6002',
  engine: 'http://127.0.0.1:6003',
  database: { owner: 'postgres://owner', gateway: 'postgres://gateway', console: 'postgres://console' },
  keys: { demo: 'gwk_demo' },
  license: null,
  directory: null,
  consoleSignIn: { user: 'admin', password: 'p1' },
  auditorSignIn: null,
  endpoint: 'demo',
  stateDirectory: '/data',
};
const ON_PREMISE: Ready = {
  ...HOSTED,
  profile: 'on-premise',
  consoleSignIn: { user: 'demo', password: 'p1' },
  auditorSignIn: { user: 'auditor', password: 'p2' },
};
const stepsOf = (ready: Ready) => {
  const lines = sentences(ready, null, `${ready.gateway}/v`).split('\n');
  const first = lines.findIndex((line) => line.startsWith('1. '));
  return lines.slice(first, lines.lastIndexOf('Ctrl-C ends everything.') - 1);
};

describe('what a person reads when everything serves', () => {
  it('is four steps, each a line', () => {
    expect(stepsOf(HOSTED).map((line) => line.slice(0, 2))).toEqual(['1.', '2.', '3.', '4.']);
  });
  it('explains the administrator and the auditor where it takes both to see everything', () => {
    const [open, administrator, auditor, neither, call] = stepsOf(ON_PREMISE);
    expect(open).toMatch(/^1\. Open the console .*user demo {3}password p1$/);
    expect(administrator).toContain('The administrator "demo" declares engines, installs policies and grants roles.');
    expect(auditor).toContain('Only an auditor reads the logs and the policy in force: user auditor   password p2');
    expect(neither).toContain('Nobody holds both roles.');
    expect(call).toMatch(/^2\. Make a call/);
  });
  it('does not mention an auditor if no role was granted', () => {
    expect(stepsOf({ ...ON_PREMISE, endpoint: null, keys: {} }).join('\n')).not.toContain('auditor');
  });
  it('fits a terminal of 120 columns, but for the line to copy', () => {
    const long = stepsOf(ON_PREMISE).filter((line) => line.length > 120 && !line.includes('curl '));
    expect(long).toEqual([]);
  });
});
