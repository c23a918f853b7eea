import { BlockList } from 'node:net';
import { addNetwork } from './networks.ts';
import { printable, type Reading } from './reading.ts';
import type { Variable } from './variable.ts';

export const TRUSTED_PROXIES: Variable = {
  name: 'GATEWAY_TRUSTED_PROXIES',
  form: 'addresses or networks separated by commas, for example 10.0.0.4,192.168.0.0/16',
  fallback: 'none: X-Forwarded-For has no effect',
  effect:
    'Peers whose X-Forwarded-For header is trusted. It gives the source address of a request for the logs, for policies and for the throttle of the console.',
};

/** The proxies whose X-Forwarded-For is trusted; null without any. */
export function readTrustedProxies(reading: Reading): BlockList | null {
  const text = reading.text(TRUSTED_PROXIES);
  if (text === null) return null;
  const list = new BlockList();
  for (const entry of text.split(',').map((one) => one.trim())) {
    if (!addNetwork(list, entry))
      reading.fault(
        TRUSTED_PROXIES,
        `${printable(entry)} is neither an address nor a network. Write ${TRUSTED_PROXIES.form}.`,
      );
  }
  return list;
}
