/** The console API's objects as the pages read them (decisions §14). Prices in euros per token, caps in euros, times ISO 8601. */
export interface Provider {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKeyEnv: string | null;
  readonly apiKeyHeader: string | null;
  readonly clearTextAcknowledged: boolean;
}

export interface Model {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly provider: string;
  readonly inputPrice: number;
  readonly outputPrice: number;
}

export interface Endpoint {
  readonly id: string;
  readonly name: string;
  readonly model: string;
  readonly active: boolean;
}

export interface Plan {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly monthlyCap: number | null;
}

export interface User {
  readonly id: string;
  readonly username: string;
  readonly origin: 'local' | 'directory';
  readonly displayName: string | null;
  readonly email: string | null;
  readonly plan: string | null;
  readonly enabled: boolean;
  readonly createdAt: string;
  readonly roles: readonly { readonly role: string; readonly project: string | null }[];
}

export interface AccountKey {
  readonly id: string;
  readonly label: string;
  readonly lastFour: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
}
