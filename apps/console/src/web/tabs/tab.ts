import type { Permission } from '@gateway/contract/roles';
import type { ComponentType } from 'react';

/** A target of the command palette in a tab. */
export interface Jump {
  readonly label: string;
  /** The address's fragment; with `open=…` a dialog is opened there. An address of the API is downloaded. */
  readonly to: string;
  /** What else people call it. */
  readonly keywords?: string;
  /** Only the shared pair may do it. */
  readonly isOfSharedPair?: true;
  /** What one must be permitted, where not everybody who has the tab is. */
  readonly needs?: Permission;
}

/** One tab of the console (console-17): its identifier is the address's fragment. */
export interface Tab {
  readonly identifier: string;
  readonly label: string;
  readonly page: ComponentType;
  /** Leads here after the key g. */
  readonly key: string;
  /** The page of the manual about it; by its part where that has its own. */
  readonly manual: string;
  readonly manuals?: Readonly<Record<string, string>>;
  readonly jumps: readonly Jump[];
}

/** The console's surfaces by their address: the instance's, the auditors', the project administrators', everybody's own. */
export interface Surfaces {
  readonly '/': readonly Tab[];
  readonly '/audit': readonly Tab[];
  readonly '/project': readonly Tab[];
  /** The signed-in person's own. */
  readonly '/me': readonly Tab[];
}
