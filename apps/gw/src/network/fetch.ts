import { http } from './node-http.ts';
import { atProxy, proxyVariables } from './proxies.ts';

/**
 * `fetch` by the proxies that the variables name (HTTPS_PROXY, HTTP_PROXY, NO_PROXY). Node reads them at its start only
 * where NODE_USE_ENV_PROXY asks for it.
 * @throws WrongUsage where one of them is no address
 */
export function createFetch(variables: ReadonlyMap<string, string>): typeof fetch {
  const proxies = proxyVariables(variables);
  if (Object.keys(proxies).length === 0) return (...request) => fetch(...request); // loading it costs 35 ms
  http.setGlobalProxyFromEnv({ ...proxies });
  return async (input, init) => {
    try {
      return await fetch(input, init);
    } catch (error) {
      if (!(error instanceof Error) || error.cause === undefined) throw error;
      const url = input instanceof Request ? input.url : String(input);
      error.cause = atProxy(error.cause, url, variables);
      throw error;
    }
  };
}
