import { expect, it } from 'vitest';
import { variablesOf as variablesOfConsole } from '../apps/console/src/configuration/configuration.ts';
import { profile as restrictedConsole } from '../apps/console/src/profile/on-premise.ts';
import { profile as hostedConsole } from '../apps/console/src/profile/serverless.ts';
import { variablesOf as variablesOfGateway } from '../apps/gateway/src/configuration/configuration.ts';
import { profile as restrictedGateway } from '../apps/gateway/src/profile/on-premise.ts';
import { profile as hostedGateway } from '../apps/gateway/src/profile/serverless.ts';
import { configurationReference } from '../toolchain/configuration-reference.ts';

const SERVICES = [
  { title: 'Gateway', builds: [variablesOfGateway(hostedGateway), variablesOfGateway(restrictedGateway)] },
  { title: 'Console', builds: [variablesOfConsole(hostedConsole), variablesOfConsole(restrictedConsole)] },
];

// `vitest run tests/configuration-reference.test.ts -u` writes the page anew after a change.
it('the configuration reference is what reads the variables', async () => {
  const text = configurationReference(SERVICES);
  for (const name of ['DATABASE_URL', 'TLS_CERT_FILE', 'GATEWAY_LICENSE', 'OIDC_TLS_CA_FILE', 'OIDC_REDIRECT_URI']) {
    expect(text).toContain(`### ${name}\n`);
  }
  await expect(text).toMatchFileSnapshot('../docs/configuration.md');
});
