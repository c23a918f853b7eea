import { notifications } from '@mantine/notifications';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiError, request } from './request.ts';

export interface Change {
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** What the person reads when it is done. */
  readonly done?: string;
}

/** Sends a change and has every list that may show it read again. Its error is shown where the change was asked for. */
export function useChange<Answer = unknown>(): UseMutationResult<Answer, ApiError, Change> {
  const queries = useQueryClient();
  return useMutation<Answer, ApiError, Change>({
    mutationFn: ({ method, path, body }) => request<Answer>(method, path, body),
    onSuccess: (_, { done }) => {
      if (done !== undefined) notifications.show({ message: done, color: 'teal' });
    },
    // A refused change leaves something to read too: the attempt, or what stood in its way.
    onSettled: () => queries.invalidateQueries(),
  });
}
