import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ApiError, request } from './request.ts';

/**
 * What an address of the API shows. While another address is read, what the one before showed stays on the screen; nothing is read
 * where there is no address yet.
 */
export function useRead<Answer>(path: string | null): UseQueryResult<Answer, ApiError> {
  return useQuery<Answer, ApiError>({
    queryKey: [path],
    enabled: path !== null,
    queryFn: ({ signal }) => request('GET', path ?? '', undefined, signal),
    placeholderData: keepPreviousData,
  });
}
