import type { ComponentType } from 'react';

/** One tab of the console (specification, Console tabs): its identifier is the address's fragment. */
export interface Tab {
  readonly identifier: string;
  readonly label: string;
  readonly page: ComponentType;
}
