import { createScanner, responsePolicyOf, type SecretsPolicy } from '@gateway/secrets';
import type { Inspector } from '../inspection/inspectors.ts';

/** What looks for secrets under a policy; null: without one. */
export function inspectorUnder(policy: SecretsPolicy | null): Inspector {
  const responsePolicy = responsePolicyOf(policy);
  return {
    providers: null,
    responsePolicy,
    scanner: createScanner({ ...responsePolicy, key: Buffer.from('test') }),
  };
}

/** In pieces, so that no file of this repository contains anything like a live credential. */
export const TOKEN = ['ghp', 'R7mQx2Lk9TfWb4ZsVn6YcJd8HgPa3EuN5t1K'].join('_');
