import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiError } from '../../api/request.ts';

/** Why a person's calls are refused, and the button that changes it. */
export interface Cause {
  readonly name: string;
  readonly text: ReactNode;
  readonly fix?: ReactNode;
}

/** A change of a person's access: its effect, and its button. */
export interface Action {
  /** Stays the same where the action is turned into its opposite, so that the keyboard stays on its button. */
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly button: ReactNode;
}

/** A part of what is read of a person. */
export type Reading = Pick<UseQueryResult<unknown, ApiError>, 'isLoading' | 'isLoadingError' | 'error' | 'refetch'>;

/** What one build knows of an account in addition to the common part. */
export interface AccountAccess {
  /** Without all of it, nobody may say that the person is served. */
  readonly reads: readonly Reading[];
  readonly causes: readonly Cause[];
  readonly actions: readonly Action[];
}
