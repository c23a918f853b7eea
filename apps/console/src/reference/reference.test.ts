import { describe, expect, it } from 'vitest';
import { variablesOf } from '../configuration/configuration.ts';
import { profile as onPremise } from '../profile/on-premise.ts';
import { profile as serverless } from '../profile/serverless.ts';
import { referenceOfRoutes } from './routes.ts';
import { referenceOfVariables } from './variables.ts';

const DOCS = '../../../../docs';

// `vitest run -u apps/console/src/reference` writes the pages anew after a change of a table.
describe('the reference', () => {
  it('of the API is what the route tables say', async () => {
    const text = referenceOfRoutes({ serverless: serverless.routes, 'on-premise': onPremise.routes });
    for (const { method, path } of serverless.routes) expect(text).toContain(`### ${method} ${path}\n`);
    await expect(text).toMatchFileSnapshot(`${DOCS}/console-api.md`);
  });
  it('of the variables is what reads them', async () => {
    const text = referenceOfVariables([...variablesOf(serverless), ...variablesOf(onPremise)]);
    for (const name of ['ADMIN_USER', 'DATABASE_URL', 'PORT', 'OIDC_REDIRECT_URI'])
      expect(text).toContain(`## ${name}\n`);
    await expect(text).toMatchFileSnapshot(`${DOCS}/console-variables.md`);
  });
});
