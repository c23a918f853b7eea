import type { TokenRule } from '../verify/rule.ts';
import { AI_RULES } from './ai.ts';
import { AI_TOOL_RULES } from './ai-tools.ts';
import { CHAT_RULES } from './chat.ts';
import { CLOUD_RULES } from './cloud.ts';
import { DATABASE_RULES } from './database.ts';
import { DELIVERY_RULES } from './delivery.ts';
import { DEVELOPER_RULES } from './developer.ts';
import { IDENTITY_RULES } from './identity.ts';
import { MAIL_RULES } from './mail.ts';
import { MONITORING_RULES } from './monitoring.ts';
import { NETWORK_RULES } from './network.ts';
import { PAYMENT_RULES } from './payment.ts';
import { REGISTRY_RULES } from './registry.ts';
import { SAAS_RULES } from './saas.ts';
import { SESSION_RULES } from './session.ts';
import { SOURCE_HOSTING_RULES } from './source-hosting.ts';
import { VAULT_RULES } from './vault.ts';

export { NAMED_RULES } from './named.ts';
export { STRUCTURAL_RULES } from './structural.ts';

/** Every token that is known by its form, in the order they are asked. */
export const TOKEN_RULES: readonly TokenRule[] = [
  ...CLOUD_RULES,
  ...NETWORK_RULES,
  ...VAULT_RULES,
  ...SOURCE_HOSTING_RULES,
  ...DELIVERY_RULES,
  ...REGISTRY_RULES,
  ...CHAT_RULES,
  ...DEVELOPER_RULES,
  ...PAYMENT_RULES,
  ...MAIL_RULES,
  ...MONITORING_RULES,
  ...DATABASE_RULES,
  ...AI_RULES,
  ...AI_TOOL_RULES,
  ...IDENTITY_RULES,
  ...SAAS_RULES,
  ...SESSION_RULES,
];
