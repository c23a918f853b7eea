import type { ComponentType } from 'react';

/** One tab of the console (console-17): its identifier is the address's fragment. */
export interface Tab {
  readonly identifier: string;
  readonly label: string;
  readonly page: ComponentType;
}

/** The console's three surfaces by their address: the instance's, the auditors', the project administrators'. */
export interface Surfaces {
  readonly '/': readonly Tab[];
  readonly '/audit': readonly Tab[];
  readonly '/project': readonly Tab[];
}
