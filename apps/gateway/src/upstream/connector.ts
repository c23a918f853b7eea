import type { SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import { ignoreContinue } from './interim-answers.ts';

export type Connector = ReturnType<typeof buildConnector>;

/** Errors of connections that were never made. */
const UNCONNECTED = new WeakSet<Error>();

/** Whether a connection was never made: its name, TCP, a proxy or TLS failed, or it took too long. */
export const isUnconnected = (error: Error): boolean => UNCONNECTED.has(error);

/** Opens connections to a provider, or to the proxy before it. @param secureContext of TLS connections; null where it is plain. */
export function connectDirectly(secureContext: SecureContext | null): Connector {
  const tls = secureContext === null ? {} : { secureContext, rejectUnauthorized: true };
  return reportingResets(buildConnector({ allowH2: false, ...tls }));
}

/**
 * Undici accepts an answer that ends with its connection as complete even after a reset, which it recognizes by the error's code.
 * With another code, the answer counts as broken.
 */
export function reportingResets(connector: Connector): Connector {
  return (options, callback) => {
    connector(options, (...outcome) => {
      outcome[1]?.prependListener('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNRESET') error.code = 'UND_ERR_SOCKET';
      });
      // Undici calls back with the error alone where no connection was made.
      if (outcome[1]) ignoreContinue(outcome[1]);
      else if (outcome[0]) UNCONNECTED.add(outcome[0]);
      callback(...outcome);
    });
  };
}

/** Gives a connection up that is not made in time, whatever it waits for: its name, TCP, a proxy or TLS. */
export function connectingWithin(milliseconds: number, connector: Connector): Connector {
  return (options, callback) => {
    const error = Object.assign(new Error(`no connection within ${milliseconds / 1000} seconds`), {
      code: 'ETIMEDOUT',
    });
    UNCONNECTED.add(error);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      callback(error, null);
    }, milliseconds);
    connector(options, (...outcome) => {
      clearTimeout(timer);
      if (!isLate) callback(...outcome);
      else outcome[1]?.on('error', () => {}).destroy();
    });
  };
}
