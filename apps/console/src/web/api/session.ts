import { useQuery } from '@tanstack/react-query';
import type { KnownSubject } from './objects.ts';
import { type ApiError, request } from './request.ts';

/** The signed-in subject; without a subject it is the shared pair. */
export interface Session {
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
