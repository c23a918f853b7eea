import { checkHandedIn, describeFault } from '@gateway/access';
import { instant, organizationPolicySchema, ROLE_ALIASES, ROLE_NAMES, roleNamed } from '@gateway/contract';
import { line, listOfNamed, name, slug } from '@gateway/contract/fields';
import { newAccountFields } from '@gateway/domain/account/shape';
import { newEndpointFields, newModelFields } from '@gateway/domain/endpoint/shape';
import { isOrganizationName, parseValidity } from '@gateway/domain/organization/shape';
import { faultsOfProvider, newProvider } from '@gateway/domain/provider/shape';
import { projectFault } from '@gateway/domain/role/acts';
import * as z from 'zod';
import { accountPlan, planSection } from '#plans';

/** A name as the schema stores it: less strict than the console, because any subject may have a role. */
const holder = z
  .string('must be text')
  .regex(/^[^\p{Cc}]{1,255}$/u, 'must be one line of 1 to 255 characters')
  .refine((text) => text.trim() !== '', 'must not be blank');

const provider = newProvider.superRefine((given, context) => {
  for (const [member, message] of Object.entries(faultsOfProvider(given) ?? {})) {
    context.addIssue({ code: 'custom', path: [member], message });
  }
});

const model = z.strictObject({ provider: slug, ...newModelFields });

const endpoint = z
  .strictObject({
    ...newEndpointFields,
    provider: slug,
    model: line(200),
    standby: z
      .strictObject({ provider: slug, model: line(200) })
      .nullable()
      .default(null),
  })
  .superRefine(({ provider: first, standby }, context) => {
    if (standby?.provider !== first) return;
    const message = 'must be another provider than that of the model';
    context.addIssue({ code: 'custom', path: ['standby', 'provider'], message });
  });

const account = z.strictObject({ ...newAccountFields, ...accountPlan });

/** A role by its identifier or its alias. */
const roleName = z
  .enum([...ROLE_NAMES, ...Object.values(ROLE_ALIASES)])
  .transform((text, context) => roleNamed(text) ?? context.addIssue('is no role') ?? z.NEVER);

const role = z
  .strictObject({ subject: holder, role: roleName, project: holder.nullable().default(null) })
  .superRefine((held, context) => {
    const fault = projectFault(held);
    if (fault !== null) context.addIssue({ code: 'custom', path: ['project'], message: fault.project });
  });

const project = z.strictObject({ project: holder, members: listOfNamed(holder, String) });

const imposed = z
  .strictObject({
    document: organizationPolicySchema,
    validFrom: instant.nullable().default(null),
    validUntil: instant.nullable().default(null),
  })
  .superRefine((policy, context) => {
    const period = parseValidity(policy);
    for (const { path, reason } of 'faults' in period ? period.faults : []) {
      context.addIssue({ code: 'custom', path: [path], message: reason });
    }
  });

const organization = z.strictObject({
  slug,
  name: name.refine(isOrganizationName, 'must be a readable name of at most 200 characters'),
  policy: imposed.nullable().default(null),
});

/** A Cedar policy set. A blank one lifts every restriction. */
const cedar = z.string('must be a Cedar policy set as one text').superRefine((text, context) => {
  if (text.trim() === '') return;
  const check = checkHandedIn(text);
  for (const fault of check.ok ? [] : check.faults) context.addIssue(describeFault(fault));
});

/** The configuration of an instance as one document. A section that is absent is not looked at. */
export const configurationSchema = z.strictObject({
  version: z.literal(1, 'must be 1: the version of this form'),
  providers: listOfNamed(provider, (one) => one.slug).optional(),
  models: listOfNamed(model, (one) => `${one.provider}/${one.slug}`).optional(),
  endpoints: listOfNamed(endpoint, (one) => one.name).optional(),
  ...planSection,
  accounts: listOfNamed(account, (one) => one.username).optional(),
  roles: listOfNamed(role, (one) => JSON.stringify([one.subject, one.role, one.project])).optional(),
  projects: listOfNamed(project, (one) => one.project).optional(),
  authorizationPolicy: cedar.optional(),
  organizations: listOfNamed(organization, (one) => one.slug).optional(),
});

export type ConfigurationDocument = z.output<typeof configurationSchema>;
/** Every section: what an export prints. */
export type WholeDocument = {
  readonly [Name in keyof ConfigurationDocument]-?: NonNullable<ConfigurationDocument[Name]>;
};
export type Section = Exclude<keyof WholeDocument, 'version' | 'authorizationPolicy'>;
export type ItemOf<Name extends Section> = NonNullable<ConfigurationDocument[Name]>[number];
