import { matrixGrants, type Permission } from '@gateway/contract/roles';
import { QueryClient, useQuery } from '@tanstack/react-query';
import type { KnownSubject } from './objects.ts';
import { ApiError, request } from './request.ts';

/** Whether the console gave an answer, which a second request would not change. */
export const isRefusal = (error: Error | null): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;
const isDown = (error: Error | null): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 503);

/**
 * How the pages read. The browser's network state does not show whether the console can be reached, so requests are always sent
 * and changes never queued. A refusal is an answer: only a console that was not reachable, or that failed, is retried once.
 */
export const createQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (failures, error) => failures < 1 && !isRefusal(error),
        refetchOnWindowFocus: false,
        // A database or a console that is down comes back: what could not be read is read again by itself.
        refetchInterval: ({ state: { error } }) => (isDown(error) ? 5_000 : false),
        staleTime: 5_000,
      },
    },
  });

/** The signed-in subject; without a subject it is the shared pair. */
interface Session {
  readonly subject: string | null;
  readonly roles: KnownSubject['roles'];
  readonly gatewayUrl: string | null;
}

/** The signed-in subject; undefined until it is loaded. */
export function useSession(): Session | undefined {
  const { data } = useQuery<Session, ApiError>({
    queryKey: ['/api/session'],
    queryFn: ({ signal }) => request('GET', '/api/session', undefined, signal),
    staleTime: 60_000,
  });
  return data;
}

/** Whether the roles of a session carry a permission, which the shared pair needs not. A policy may still forbid it. */
export const mayIn = ({ subject, roles }: Session, permission: Permission): boolean =>
  subject === null ||
  matrixGrants(
    roles.map(({ role }) => role),
    permission,
  );

/** Whether the signed-in person may do something: what would be refused is not offered. Undefined until it is known. */
export function useMay(permission: Permission): boolean | undefined {
  const session = useSession();
  return session && mayIn(session, permission);
}

/** Addresses that start a session, returning to the current location, and that end one. */
export const signInHere = (): string => `/auth/login?to=${encodeURIComponent(location.pathname + location.hash)}`;
export const SIGN_OUT = '/auth/logout';
