import type * as stored from '@gateway/database/console';
import type * as hosted from '@gateway/database/console/hosted';

/** A value after its way through JSON: an instant is ISO 8601 text. */
type Sent<Value> = Value extends Date
  ? string
  : Value extends object
    ? { readonly [Key in keyof Value]: Sent<Value[Key]> }
    : Value;

// The console API's objects as the pages read them (console-9): what the database gives, sent. These are types alone, so
// nothing of the database comes into the page. Prices are euros per token, caps euros.
export type Provider = Sent<stored.Provider>;
export type Model = Sent<stored.Model>;
export type Endpoint = Sent<stored.Endpoint>;
export type RoleAssignment = Sent<stored.RoleAssignment>;
export type Decision = Sent<stored.DecisionEntry>;
export type AdministrationAction = Omit<Sent<stored.AdministrationAction>, 'oldValue' | 'newValue'> & {
  readonly oldValue: unknown;
  readonly newValue: unknown;
};
export type AgentAct = Sent<stored.AgentAct>;
export type AgentSession = Sent<stored.AgentSession>;
export type AgentCommand = Sent<stored.AgentCommand>;
export type EngineResult = Sent<stored.EngineResult>;
export type ProviderTest = Sent<stored.ProviderTestState>;
export type KeyVariableReport = Sent<stored.KeyVariableReport>;
export type Overview = Sent<stored.Overview>;
export type EngineErrors = Sent<stored.EngineErrors>;
export type ProviderHealth = Sent<stored.ProviderHealth>;
export type Detection = Sent<stored.RecordedDetection>;
export type SubjectRevocation = Sent<stored.SubjectRevocation>;
export type PolicyRevision = Sent<stored.PolicyRevision>;
export type PolicyAttempt = Sent<stored.PolicyAttempt>;
export type Organization = Sent<stored.Organization>;
export type Member = Sent<stored.Member>;
export type Project = Sent<stored.Project>;
export type WaitingSubject = Sent<stored.WaitingSubject> & Resembling;
export type GroupRole = Sent<stored.ListedGroupRole>;
export type Consumption = Sent<stored.Consumption>;
export type ConsumptionSeries = Sent<stored.ConsumptionSeries>;
/** Another known name that looks like this one, where the identity provider brought this one. */
interface Resembling {
  readonly resembles?: string | null;
}
export type KnownSubject = Sent<stored.KnownSubject> & Resembling;

export type Plan = Sent<hosted.Plan>;
export type User = Sent<hosted.ListedUser>;
export type AccountImport = Sent<hosted.AccountImport>;
export type AccountKey = Sent<hosted.ListedKey>;
export type MemberPlan = Sent<hosted.ListedMemberPlan>;
export type UsageRecord = Sent<hosted.UsageRecord>;
export type UsageNames = Sent<hosted.UsageNames>;
export type ModelName = Sent<hosted.ModelName>;
export type ModelPart = Sent<hosted.ModelPart>;
export type UsagePart = Sent<hosted.UsagePart>;
export type UsageSummary = Sent<hosted.UsageSummary>;
export type SpendingCap = Sent<hosted.SpendingCap>;
export type BudgetAlert = Sent<hosted.BudgetAlert>;
