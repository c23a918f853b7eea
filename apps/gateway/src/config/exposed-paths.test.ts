import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Reading, type Variable } from '@gateway/configuration';
import { afterAll, describe, expect, it } from 'vitest';
import { refuseExposedPaths } from './configuration.ts';
import { EXECUTION_VARIABLES, readExecution } from './execution.ts';
import { SERVICE_VARIABLES } from './service.ts';
import { UPSTREAM_VARIABLES } from './upstream.ts';

const folder = mkdtempSync(join(tmpdir(), 'exposed-paths-'));
const at = (name: string): string => join(folder, name);
for (const name of ['tools', 'tools/state', 'work', 'elsewhere']) mkdirSync(at(name));
writeFileSync(at('tools/key.pem'), '');
symlinkSync(at('tools'), at('link'));
const inUsr = '/usr/share';
afterAll(() => rmSync(folder, { recursive: true }));

const VARIABLES: readonly Variable[] = [...SERVICE_VARIABLES, ...EXECUTION_VARIABLES, ...UPSTREAM_VARIABLES];
function faults(environment: Record<string, string>): readonly string[] {
  const sound = { GATEWAY_AGENT_LAUNCHER: 'bubblewrap', GATEWAY_AGENT_WORKDIR: at('work') };
  const reading = new Reading({ ...sound, GATEWAY_AGENT_READABLE: at('tools'), ...environment });
  const execution = readExecution(reading);
  refuseExposedPaths(reading, VARIABLES, execution, environment['GATEWAY_STATE_DIR'] ?? at('elsewhere/state'));
  return reading.faults;
}

describe('a path that sandboxes would show', () => {
  it.each([
    ['GATEWAY_STATE_DIR', at('tools/state')],
    ['GATEWAY_STATE_DIR', at('tools/not/there/yet')],
    ['GATEWAY_STATE_DIR', folder],
    ['GATEWAY_STATE_DIR', at('link/state')],
    ['GATEWAY_SIGNING_KEY_FILE', at('tools/signing.pem')],
    ['TLS_KEY_FILE', at('tools/key.pem')],
    ['UPSTREAM_TLS_CA_FILE', at('tools/../tools/key.pem')],
    // refusals-29
  ])('is refused with both named: %s=%s', (name, path) => {
    const pattern = new RegExp(`^${name}: .* overlaps ${at('tools')}, which GATEWAY_AGENT_READABLE shows`);
    expect(faults({ [name]: path })).toEqual([expect.stringMatching(pattern)]);
  });
  it.each(['GATEWAY_AGENT_WORKDIR', 'GATEWAY_STATE_DIR', 'TLS_CERT_FILE'])(
    'is refused below what every sandbox shows: %s',
    (name) => {
      // Only the superuser can write there, which is checked first.
      const why = `(${inUsr} overlaps /usr, which every sandbox shows|names a directory that cannot be used .EACCES)`;
      expect(faults({ [name]: inUsr })).toEqual([expect.stringMatching(new RegExp(`^${name}: ${why}`))]);
    },
  );
  it('is none elsewhere, or where nothing is sandboxed', () => {
    expect(faults({})).toEqual([]);
    expect(faults({ GATEWAY_STATE_DIR: at('tools-of-others'), TLS_KEY_FILE: at('elsewhere/key.pem') })).toEqual([]);
    expect(faults({ GATEWAY_AGENT_LAUNCHER: 'process', GATEWAY_STATE_DIR: at('tools/state') })).toEqual([]);
  });
});
