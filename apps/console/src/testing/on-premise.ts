import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onFreePort } from '@gateway/database/embedded';
import { profile } from '../profile/on-premise.ts';
import { type Browser, createBrowser } from './browser.ts';
import { startTestConsole, type TestConsole } from './console.ts';
import { startIdentityProvider, type TestIdentityProvider } from './identity-provider.ts';

export interface OnPremise {
  readonly console: TestConsole;
  readonly directory: TestIdentityProvider;
  newBrowser(): Browser;
  stop(): Promise<void>;
}

/** An on-premise console with its own real identity provider. */
export function startOnPremise(environment: Record<string, string> = {}): Promise<OnPremise> {
  return onFreePort((port) => startOn(port, environment));
}

async function startOn(port: number, environment: Record<string, string>): Promise<OnPremise> {
  const redirectUri = `http://127.0.0.1:${port}/auth/callback`;
  const directory = await startIdentityProvider(redirectUri);
  const folder = mkdtempSync(join(tmpdir(), 'directory-'));
  const authorityFile = join(folder, 'authority.pem');
  writeFileSync(authorityFile, directory.authority.certificate);
  const starting = startTestConsole({
    profile,
    environment: {
      PORT: String(port),
      OIDC_ISSUER: directory.issuer,
      OIDC_CLIENT_ID: 'console',
      OIDC_REDIRECT_URI: redirectUri,
      OIDC_TLS_CA_FILE: authorityFile,
      ...environment,
    },
  });
  const close = async (): Promise<void> => {
    await directory.stop();
    rmSync(folder, { recursive: true });
  };
  const console = await starting.catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    console,
    directory,
    newBrowser: () => createBrowser(directory.authority.certificate),
    async stop() {
      await console.stop();
      await close();
    },
  };
}
