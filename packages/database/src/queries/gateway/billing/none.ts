/** Stands in the on-premise artifact for the billing of the hosted profile, whose code is absent there (decisions §2). */
export const BILLING = (): readonly string[] => ['null', 'null', 'null'];
