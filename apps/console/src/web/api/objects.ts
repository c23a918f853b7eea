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

export interface Decision {
  readonly sequence: number;
  readonly id: string;
  readonly at: string;
  readonly component: string;
  readonly subject: string | null;
  readonly credential: string;
  readonly keyId: string | null;
  readonly permission: string;
  readonly resource: string;
  readonly session: string | null;
  readonly outcome: 'granted' | 'refused';
  readonly reason: string;
  readonly status: number;
  readonly roles: readonly string[];
  readonly policyRevision: number | null;
  readonly detail: string | null;
  readonly requestId: string | null;
  readonly sourceAddress: string | null;
  readonly previous: string;
  readonly digest: string;
}

export interface AdministrationAction {
  readonly sequence: number;
  readonly id: string;
  readonly at: string;
  readonly component: string;
  readonly author: string;
  readonly action: string;
  readonly target: string;
  readonly oldValue: unknown;
  readonly newValue: unknown;
}

export interface AgentAct {
  readonly id: string;
  readonly session: string;
  readonly parentSession: string | null;
  readonly subject: string;
  readonly at: string;
  readonly tool: string;
  readonly target: { readonly kind: string; readonly value: string };
  readonly authorizedBy: string;
  readonly outcome: string;
  readonly reason: string | null;
}

export interface Detection {
  readonly id: string;
  readonly at: string;
  readonly decisionId: string;
  readonly subject: string | null;
  readonly resource: string | null;
  readonly place: 'request' | 'answer' | 'output';
  readonly kind: string;
  readonly rule: string;
  readonly confidence: string;
  readonly response: 'block' | 'mask' | 'alert';
  readonly pointer: string | null;
  readonly occurrences: number;
  readonly digest: string;
}

export interface AgentSession {
  readonly session: string;
  readonly subject: string | null;
  readonly acts: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly standing: 'in force' | 'revoked';
  readonly revocation: {
    readonly session: string;
    readonly revokedAt: string;
    readonly author: string;
    readonly reason: string;
  } | null;
}

export interface SubjectRevocation {
  readonly id: string;
  readonly subject: string;
  readonly reason: string;
  readonly author: string;
  readonly revokedAt: string;
  readonly liftedAt: string | null;
  readonly liftedBy: string | null;
}

export interface PolicyRevision {
  readonly revision: number;
  readonly cedar: string;
  readonly author: string;
  readonly installedAt: string;
}

export interface PolicyFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface PolicyAttempt {
  readonly id: string;
  readonly at: string;
  readonly organization: string | null;
  readonly author: string;
  readonly outcome: 'installed' | 'refused';
  readonly revision: number | null;
  readonly fault: string | null;
}

export interface Organization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly policy: {
    readonly revision: number;
    readonly document: unknown;
    readonly producedAt: string;
    readonly validFrom: string | null;
    readonly validUntil: string | null;
    readonly author: string;
  } | null;
}

export interface UsageRecord {
  readonly id: string;
  readonly timestamp: string;
  readonly subject: string;
  readonly endpoint: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly latencyMs: number;
  readonly usageSource: 'reported' | 'estimated';
  readonly interrupted: boolean;
  readonly cost: number;
}

export interface UsageSums {
  readonly requests: number;
  readonly interrupted: number;
  readonly estimated: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost: number;
  readonly latencyMs: number | null;
}

export type UsagePart = UsageSums & { readonly name: string };

export interface UsageSummary {
  readonly totals: UsageSums;
  readonly series: readonly UsagePart[];
  readonly endpoints: readonly UsagePart[];
  readonly models: readonly UsagePart[];
  readonly subjects: readonly UsagePart[];
}

export interface SpendingCap {
  readonly id: string;
  readonly username: string;
  readonly plan: { readonly slug: string; readonly name: string } | null;
  readonly monthlyCap: number | null;
  readonly spent: number;
  readonly share: number | null;
}

export interface RoleAssignment {
  readonly id: string;
  readonly subject: string;
  readonly role: string;
  readonly project: string | null;
  readonly author: string;
  readonly grantedAt: string;
}
