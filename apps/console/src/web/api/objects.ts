import type * as logs from '@gateway/database/audit-log/lists';
import type * as accounts from '@gateway/domain/account/console';
import type * as subjects from '@gateway/domain/account/console-subjects';
import type * as endpoints from '@gateway/domain/endpoint/console';
import type * as organizations from '@gateway/domain/organization/console';
import type * as plans from '@gateway/domain/plan/console';
import type * as spending from '@gateway/domain/plan/console-spending';
import type * as policies from '@gateway/domain/policy/console';
import type * as providers from '@gateway/domain/provider/console';
import type * as roles from '@gateway/domain/role/console';
import type * as sessions from '@gateway/domain/session/console';
import type * as usage from '@gateway/domain/usage/console';
import type * as records from '@gateway/domain/usage/console-records';

/** A value after its way through JSON: an instant is ISO 8601 text. */
type Sent<Value> = Value extends Date
  ? string
  : Value extends object
    ? { readonly [Key in keyof Value]: Sent<Value[Key]> }
    : Value;

// The console API's objects as the pages read them (console-9): what the database gives, sent. These are types alone, so
// nothing of the database comes into the page. Prices are euros per token, caps euros.
export type Provider = Sent<providers.Provider>;
export type Model = Sent<endpoints.Model>;
export type Endpoint = Sent<endpoints.Endpoint>;
export type RoleAssignment = Sent<roles.RoleAssignment>;
export type Decision = Sent<logs.DecisionEntry>;
export type AdministrationAction = Omit<Sent<logs.AdministrationAction>, 'oldValue' | 'newValue'> & {
  readonly oldValue: unknown;
  readonly newValue: unknown;
};
export type AgentAct = Sent<sessions.AgentAct>;
export type AgentSession = Sent<sessions.AgentSession>;
export type AgentCommand = Sent<sessions.AgentCommand>;
export type EngineResult = Sent<providers.EngineResult>;
export type ProviderTest = Sent<providers.ProviderTestState>;
export type KeyVariableReport = Sent<providers.KeyVariableReport>;
export type Overview = Sent<usage.Overview>;
export type EngineErrors = Sent<providers.EngineErrors>;
export type ProviderHealth = Sent<providers.ProviderHealth>;
export type Detection = Sent<logs.RecordedDetection>;
export type SubjectRevocation = Sent<subjects.SubjectRevocation>;
export type PolicyRevision = Sent<policies.PolicyRevision>;
export type PolicyAttempt = Sent<policies.PolicyAttempt>;
export type Organization = Sent<organizations.Organization>;
export type Member = Sent<roles.Member>;
export type Project = Sent<roles.Project>;
export type WaitingSubject = Sent<subjects.WaitingSubject> & Resembling;
export type GroupRole = Sent<roles.ListedGroupRole>;
export type Consumption = Sent<usage.Consumption>;
export type ConsumptionSeries = Sent<usage.ConsumptionSeries>;
/** Another known name that looks like this one, where the identity provider brought this one. */
interface Resembling {
  readonly resembles?: string | null;
}
export type KnownSubject = Sent<subjects.KnownSubject> & Resembling;

export type Plan = Sent<plans.Plan>;
export type User = Sent<accounts.ListedUser>;
export type AccountImport = Sent<accounts.AccountImport>;
export type AccountKey = Sent<accounts.ListedKey>;
export type MemberPlan = Sent<plans.ListedMemberPlan>;
export type UsageRecord = Sent<records.UsageRecord>;
export type UsageNames = Sent<records.UsageNames>;
export type ModelName = Sent<records.ModelName>;
export type ModelPart = Sent<records.ModelPart>;
export type UsagePart = Sent<records.UsagePart>;
export type UsageSummary = Sent<records.UsageSummary>;
export type SpendingCap = Sent<spending.SpendingCap>;
export type BudgetAlert = Sent<spending.ListedBudgetAlert>;
