import { isKeyName } from '@gateway/ledger';
import type { Reading } from './reading.ts';
import type { Variable } from './variable.ts';

export const LOG_ORIGIN: Variable = {
  name: 'GATEWAY_LOG_ORIGIN',
  form: 'a name without white space and plus signs, for example logs.example.com/gateway',
  fallback: 'gateway/ and the identifier of this installation',
  effect:
    'Name of the logs in checkpoints in note form, and of the keys that sign them. Set the same value for the gateway, the console and gatewayctl, and never change it: witnesses know the logs by this name.',
};

/** Whether a name can be the origin of checkpoints. */
export function isLogOrigin(name: string): boolean {
  return isKeyName(name) && name.length <= 200 && !name.endsWith('/');
}

/** Null where the identifier of the installation serves. */
export function readLogOrigin(reading: Reading): string | null {
  const name = reading.text(LOG_ORIGIN);
  if (name === null || isLogOrigin(name)) return name;
  reading.fault(LOG_ORIGIN, `must be ${LOG_ORIGIN.form}, without a slash at its end.`);
  return null;
}
