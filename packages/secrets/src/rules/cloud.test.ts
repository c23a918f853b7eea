import { describe, expect, it } from 'vitest';
import { read, written } from '../testing/written.ts';

/** Configuration and output in which developers paste keys of clouds. */
const SECRETS = [
  [
    'the credentials file of the AWS command line',
    `[default]
aws_access_key_id = «aws-access-key-id-named AKIA[A-Z2-7]{16}»
aws_secret_access_key = «aws-secret-key [A-Za-z0-9+/]{40}»
region = eu-central-1
`,
  ],
  [
    'what STS answers',
    `{
  "Credentials": {
    "AccessKeyId": "«aws-access-key-id-named ASIA[A-Z2-7]{16}»",
    "SecretAccessKey": "«aws-secret-key [A-Za-z0-9+/]{40}»",
    "SessionToken": "«aws-session-token IQoJb3JpZ2luX2[A-Za-z0-9+/]{400}==»",
    "Expiration": "2026-01-02T10:11:12Z"
  }
}`,
  ],
  [
    'a shell that exports AWS variables',
    `export AWS_ACCESS_KEY_ID="«aws-access-key-id-named ASIA[A-Z2-7]{16}»"
export AWS_SECRET_ACCESS_KEY="«aws-secret-key [A-Za-z0-9+/]{40}»"
aws s3 ls s3://assets-production
`,
  ],
  [
    'the file of a new access key, as the AWS console offers it',
    'Access key ID,Secret access key\r\n«aws-access-key-pair AKIA[A-Z2-7]{16},[A-Za-z0-9+/]{40}»\r\n',
  ],
  [
    'the same file with the user and the address of the console',
    'User name,Password,Access key ID,Secret access key,Console login link\nci,,«aws-access-key-pair AKIA[A-Z2-7]{16},[A-Za-z0-9+/]{40}»,https://acme.signin.aws.amazon.com/console\n',
  ],
  ['the password file of s3fs', '«aws-access-key-pair AKIA[A-Z2-7]{16}:[A-Za-z0-9+/]{40}»\n'],
  ['an access key on two lines', '«aws-access-key-pair AKIA[A-Z2-7]{16}\n[A-Za-z0-9+/]{40}»\n'],
  ['an identifier beside the digest of a file', '«aws-access-key-id AKIA[A-Z2-7]{16}»,«- [a-f0-9]{64}»\n'],
  ['an identifier beside its time', '«aws-access-key-id AKIA[A-Z2-7]{16}»,2026-01-02T10:11:12Z,Active\n'],
  [
    'an identifier beside a placeholder',
    '«aws-access-key-id AKIA[A-Z2-7]{16}»,wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n',
  ],
  [
    'a block of Terraform',
    `provider "aws" {
  region     = "us-east-1"
  access_key = "«aws-access-key-id AKIA[A-Z2-7]{16}»"
  secret_key = "«named-secret [A-Za-z0-9+/]{40}»"
}
`,
  ],
  [
    'Python that opens an S3 client',
    `client = boto3.client(
    "s3",
    aws_access_key_id="«aws-access-key-id-named AKIA[A-Z2-7]{16}»",
    aws_secret_access_key="«aws-secret-key [A-Za-z0-9+/]{40}»",
)
`,
  ],
  [
    'the address of a map with its key',
    '<script src="https://maps.googleapis.com/maps/api/js?key=«google-api-key AIza[A-Za-z0-9_-]{35}»&libraries=places"></script>',
  ],
  [
    'a key of Google beside a Firebase project',
    'apiKey: "«google-api-key AIza[A-Za-z0-9_-]{35}»",\nauthorization: x\nFIREBASE_ADMIN_KEY=«google-api-key AIza[A-Za-z0-9_-]{35}»',
  ],
  [
    'the file of an OAuth client of Google',
    `{"installed":{"client_id":"512345678901-abc.apps.googleusercontent.com","project_id":"shop",
"auth_uri":"https://accounts.google.com/o/oauth2/auth",
"client_secret":"«google-oauth-client-secret GOCSPX-[A-Za-z0-9_-]{28}»","redirect_uris":["http://localhost"]}}`,
  ],
  [
    'output of gcloud',
    `$ gcloud auth print-access-token
«google-oauth-token ya29.[A-Za-z0-9_-]{200}»
$`,
  ],
  [
    'boto settings of Google Cloud Storage',
    `[Credentials]
gs_access_key_id = «google-cloud-storage-hmac GOOG1E[A-Z0-9]{55}»
gs_secret_access_key = «aws-secret-key [A-Za-z0-9+/]{40}»
`,
  ],
  [
    'a storage connection string of Azure',
    'AZURE_STORAGE_CONNECTION_STRING=DefaultEndpointsProtocol=https;AccountName=acmefiles;' +
      'AccountKey=«azure-storage-key [A-Za-z0-9+/]{86}==»;EndpointSuffix=core.windows.net',
  ],
  [
    'a Service Bus connection string in application settings',
    `"ServiceBus": "Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=«azure-shared-access-key [A-Za-z0-9+/]{43}=»"`,
  ],
  [
    'a link to a blob',
    'curl -O "https://acme.blob.core.windows.net/backup/db.bak?sp=r&st=2026-01-02T10:11:12Z&sv=2022-11-02&sr=b' +
      '&sig=«azure-shared-access-signature [A-Za-z0-9]{40}%2B[A-Za-z0-9]{2}%3D»"',
  ],
  [
    'settings of an Entra application',
    `AZURE_TENANT_ID=«- {uuid}»
AZURE_CLIENT_ID=«- {uuid}»
AZURE_CLIENT_SECRET=«azure-ad-client-secret [A-Za-z0-9]{3}8Q~[A-Za-z0-9_.-]{34}»
`,
  ],
  [
    'a call of an Azure function in a log',
    'POST https://orders.azurewebsites.net/api/Import?code=«azure-function-key [A-Za-z0-9]{54}==» 202 Accepted in 18 ms',
  ],
  ['variables of a droplet', `variable "do_token" { default = "«digitalocean-token dop_v1_[a-f0-9]{64}»" }`],
  [
    'Alibaba Cloud settings as YAML',
    `oss:
  endpoint: oss-cn-hangzhou.aliyuncs.com
  accessKeyId: «alibaba-access-key LTAI5t[A-Za-z0-9]{18}»
  accessKeySecret: «named-secret [A-Za-z0-9]{30}»
`,
  ],
  [
    'a workflow that deploys to Fly',
    `    env:
      FLY_API_TOKEN: «fly-token FlyV1 fm2_[A-Za-z0-9+/]{200}»
    run: flyctl deploy --remote-only`,
  ],
  [
    'Vercel and Netlify on the command line',
    `vercel deploy --prod --token «vercel-token vcp_[A-Za-z0-9]{56}»
netlify deploy --auth=«netlify-token nfp_[A-Za-z0-9]{36}» --dir dist`,
  ],
  [
    'a Heroku deployment in a shell',
    'HEROKU_API_KEY=«heroku-api-key HRKU-[A-Za-z0-9_-]{60}» git push https://git.heroku.com/shop.git main',
  ],
  [
    'a Scaleway configuration',
    `access_key: «scaleway-access-key SCW[A-Z0-9]{17}»
scw_secret_key: «scaleway-secret-key {uuid}»
default_region: fr-par
`,
  ],
] as const;

const NONE = [
  [
    'the example file of Amazon',
    'Access key ID,Secret access key\nAKIAIOSFODNN7EXAMPLE,wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n',
  ],
  ['the example keys of Amazon', 'AKIAIOSFODNN7EXAMPLE and wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
  [
    'the web configuration of Firebase',
    `const firebaseConfig = {
  apiKey: "AIza«- [A-Za-z0-9_-]{35}",
  authDomain: "shop-1.firebaseapp.com",
  projectId: "shop-1",
};
firebase.initializeApp({"apiKey":"AIza«- [A-Za-z0-9_-]{35}","authDomain":"shop-1.firebaseapp.com"});
VITE_FIREBASE_API_KEY=AIza«- [A-Za-z0-9_-]{35}
`,
  ],
  ['resource names and account numbers', 'arn:aws:iam::«- [1-9]{12}»:role/AROA-deployer in eu-west-1'],
  ['the identifier of a role or user', 'AROA«- [A-Z2-7]{16}» assumed by AIDA«- [A-Z2-7]{16}»'],
  ['an entity tag and a request id', 'ETag: "«- [a-f0-9]{32}»"\nx-amz-request-id: «- [A-Z0-9]{16}»'],
  ['variables of a workflow', 'aws-secret-access-key: ${{ secrets.AWS_SECRET_ACCESS_KEY }}'],
  ['a subscription and a tenant', 'az account set --subscription «- {uuid}» --tenant «- {uuid}»'],
  ['a reference to a vault', '@Microsoft.KeyVault(SecretUri=https://acme.vault.azure.net/secrets/db/«- [a-f0-9]{32}»)'],
  ['a link to a public object', 'https://storage.googleapis.com/assets/«- [a-f0-9]{40}»/app.js'],
  ['a signed link with its signature left out', 'https://acme.blob.core.windows.net/x?sv=2022-11-02&sig=REDACTED'],
  ['the key of the storage emulator', 'UseDevelopmentStorage=true'],
  ['the digest of an image', 'europe-docker.pkg.dev/acme/app/api@sha256:«- [a-f0-9]{64}»'],
  ['a word that begins like a key', 'AKIACOMMUNITYBUILDERS and EXOSKELETONS and SCWARZWALD'],
] as const;

describe('keys of clouds', () => {
  it.each(SECRETS)('are found and masked, and nothing else, in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });

  it.each(NONE)('are not suspected in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });
});
