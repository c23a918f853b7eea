import { describe, expect, it } from 'vitest';
import { read, written } from '../testing/written.ts';

/** Where developers keep the keys that open all other keys. */
const SECRETS = [
  [
    'a login to Vault',
    '$ vault login «hashicorp-vault-token hvs.[A-Za-z0-9]{24}»\nSuccess! You are now authenticated.',
  ],
  [
    'what Vault prints',
    `Key                  Value
---                  -----
token                «hashicorp-vault-token hvs.CAESI[A-Za-z0-9_-]{90}»
token_accessor       «- [A-Za-z0-9]{24}»
token_duration       768h
`,
  ],
  [
    'credentials of Terraform',
    '{\n  "credentials": {\n    "app.terraform.io": {\n      "token": "«hashicorp-terraform-token [A-Za-z0-9]{14}.atlasv1.[A-Za-z0-9]{67}»"\n    }\n  }\n}',
  ],
  [
    'the command line of Terraform',
    'TF_TOKEN_app_terraform_io=«hashicorp-terraform-token [A-Za-z0-9]{14}.atlasv1.[A-Za-z0-9]{67}» terraform init',
  ],
  ['a container that reads Doppler', 'docker run -e DOPPLER_TOKEN=«doppler-token dp.st.prd.[A-Za-z0-9]{43}» acme/api'],
  ['a Pulumi login', 'export PULUMI_ACCESS_TOKEN="«pulumi-token pul-[a-f0-9]{40}»"'],
  [
    'an emergency kit',
    'Sign-in address: https://acme.1password.eu\nSecret Key: «1password-secret-key A3-[A-Z0-9]{6}-[A-Z0-9]{6}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}»',
  ],
  [
    'a service account of 1Password',
    'OP_SERVICE_ACCOUNT_TOKEN=«1password-service-account ops_eyJ[A-Za-z0-9_-]{600}» op run -- npm test',
  ],
  [
    'a machine identity',
    'infisical run --token «infisical-token st.[a-f0-9]{24}.[a-f0-9]{32}.[a-f0-9]{32}» -- ./serve',
  ],
  [
    'a file of age',
    '# created: 2026-01-02T10:11:12+01:00\n# public key: age1«- [a-z0-9]{58}»\n«age-secret-key AGE-SECRET-KEY-1[A-Z0-9]{58}»\n',
  ],
  [
    'a login to OpenShift',
    'oc login --token=«openshift-token sha256~[A-Za-z0-9_-]{43}» --server=https://api.acme.io:6443',
  ],
  [
    'a deployment with Octopus',
    'octo deploy-release --apiKey «octopus-deploy-api-key API-[A-Z0-9]{30}AB» --server https://octopus.acme.io',
  ],
  [
    'the configuration of kubectl from Rancher',
    'users:\n- name: "local"\n  user:\n    token: "«rancher-token kubeconfig-user-[a-z0-9]{5}:[a-z0-9]{54}»"\n',
  ],
  ['a client of Harness', `delegate:\n  token: «harness-token pat.[A-Za-z0-9]{22}.[a-f0-9]{24}.[A-Za-z0-9]{20}»`],
  [
    'the join of a K3s node',
    'curl -sfL https://get.k3s.io | K3S_URL=https://10.0.0.1:6443 K3S_TOKEN=«k3s-token K10[a-f0-9]{64}::server:[a-f0-9]{32}» sh -',
  ],
] as const;

const NONE = [
  ['a path of Vault', 'vault kv get -mount=secret -field=password apps/shop/database'],
  ['an accessor', 'accessor: «- [A-Za-z0-9]{24}»\nlease_id: database/creds/app/«- [A-Za-z0-9]{24}»'],
  ['what Vault encrypted', 'ciphertext: vault:v1:«- [A-Za-z0-9+/]{60}»=='],
  [
    'what SOPS encrypted',
    'password: ENC[AES256_GCM,data:«- [A-Za-z0-9+/]{22}»==,iv:«- [A-Za-z0-9+/]{43}»=,tag:«- [A-Za-z0-9+/]{22}»==,type:str]',
  ],
  ['what Ansible encrypted', 'db_password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  «- [0-9]{80}»\n  «- [0-9]{80}»\n'],
  ['what a controller sealed', 'encryptedData:\n  password: AgB«- [A-Za-z0-9+/]{120}»'],
  ['a public key of age', 'recipients: age1«- [a-z0-9]{58}»'],
  ['a reference to 1Password', 'DATABASE_URL=op://production/shop/database-url'],
  ['a resource of Terraform', 'password = var.db_password\ntoken = data.vault_generic_secret.app.data["token"]'],
  ['a reference in Kubernetes', 'valueFrom:\n  secretKeyRef:\n    name: shop-database-credentials\n    key: password'],
  ['names of interfaces', 'API-GATEWAY-CONFIGURATION-GUIDE and API-VERSIONING-STRATEGY'],
] as const;

describe('keys of secret managers', () => {
  it.each(SECRETS)('are found and masked, and nothing else, in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });

  it.each(NONE)('are not suspected in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });
});
