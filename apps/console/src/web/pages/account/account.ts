import type { ReactNode } from 'react';

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

/** What one build knows of an account in addition to the common part. */
export interface AccountAccess {
  readonly causes: readonly Cause[];
  readonly actions: readonly Action[];
}
