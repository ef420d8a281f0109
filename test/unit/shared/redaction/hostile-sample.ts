/**
 * Secrets and names as they stand in logs, YAML, JSON and command lines of training jobs. Each is made up; forms follow what the issuers of
 * the keys publish. `leaks` are the parts that must be gone; `stays` is what tells a fault and must be readable afterwards.
 */
export interface HostileSample {
  readonly name: string;
  readonly text: string;
  readonly leaks: readonly string[];
  readonly stays?: string;
}

/** Joined here so that no scanner of repositories takes a made-up key for a real one. */
const key = (...parts: readonly string[]): string => parts.join('');
const HF = key('hf', '_', 'QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUi');
const WANDB = key('3f2a9c0d7b61', '4e8895aa0c1d2e3f', '405162738495');
const AWS_SECRET = key('wJalrXUtnFEMIK7MDENG', 'bPxRfiCYzzzzKEYzzzz1');
const AWS_ID = key('AKIA', 'IOSFODNN7EXAMPLE');
const GH = key('ghp', '_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8');
const SLACK = key('xox', 'b-', '123456789012-abcdefGHIJKL');
const AZURE = key('Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1', 'OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==');
const JWT = key('eyJhbGciOiJSUzI1NiIsImtpZCI6Ing', '.eyJpc3MiOiJrdWJlcm5ldGVzIn0', '.c2lnbmF0dXJlX3g');

export const HOSTILE_SAMPLE: readonly HostileSample[] = [
  // logs
  { name: 'a Hugging Face token in a sentence', text: `Login with ${HF} succeeded`, leaks: [HF.slice(3)] },
  {
    name: 'an old Hugging Face token',
    text: key('token api', '_org_', 'AbCdEfGhIjKlMnOpQrStUvWxYz'),
    leaks: ['AbCdEfGhIjKl'],
  },
  { name: 'a wandb key after login', text: `wandb login --relogin ${WANDB}`, leaks: [WANDB] },
  { name: 'a wandb key in netrc', text: `machine api.wandb.ai login user password ${WANDB}`, leaks: [WANDB] },
  {
    name: 'a netrc password in words',
    text: 'machine git.acme.example login carol password horse-battery',
    leaks: ['horse-battery', 'carol', 'git.acme'],
  },
  {
    name: 'a bearer header in lower case',
    text: 'authorization: bearer abcdEFGH12345678',
    leaks: ['abcdEFGH12345678'],
  },
  { name: 'a basic header', text: 'Authorization: Basic Y2Fyb2w6aHVudGVyMg==', leaks: ['Y2Fyb2w6'] },
  { name: 'a token header', text: 'Authorization: token 0a1b2c3d4e5f60718293', leaks: ['0a1b2c3d4e5f'] },
  { name: 'a key header', text: 'X-Api-Key: 9sd8f7sd98f7sd9f8', leaks: ['9sd8f7sd98f7'] },
  { name: 'a cookie', text: 'Set-Cookie: session=s%3Aabc123def456; Path=/', leaks: ['abc123def456'] },
  {
    name: 'a cookie sent',
    text: 'Cookie: _oauth2_proxy=djIuWDI5aGRYUm9N; sid=77aa88bb',
    leaks: ['djIuWDI5', '77aa88bb'],
  },
  {
    name: 'the headers of requests',
    text: "headers={'Authorization': 'Bearer zYxWvUtSrQpOn987', 'x-token': 'q1w2e3r4t5y6'}",
    leaks: ['zYxWvUtS', 'q1w2e3r4'],
  },
  {
    name: 'a presigned S3 address',
    text: `GET https://acme-ckpt.s3.us-east-1.amazonaws.com/run/1.pt?X-Amz-Credential=${AWS_ID}%2F20260101&X-Amz-Signature=00ff11ee`,
    leaks: ['acme-ckpt', AWS_ID, '00ff11ee'],
  },
  {
    name: 'a presigned address without a scheme',
    text: 'acme-ckpt.s3.amazonaws.com/run/1.pt?AWSAccessKeyId=AB12CD34&Signature=vjbyPxybdZaNmGa%2ByT272YEAiv4%3D&Expires=1',
    leaks: ['acme-ckpt', 'AB12CD34', 'vjbyPxybdZaN'],
  },
  { name: 'a path-style S3 address', text: 'https://s3.amazonaws.com/acme-ckpt/run', leaks: ['acme-ckpt'] },
  {
    name: 'a shared access signature of Azure',
    text: 'https://acme.blob.core.windows.net/ckpt/a.pt?sv=2022-11-02&sig=Zm9vYmFy%2Bx%3D',
    leaks: ['acme', 'Zm9vYmFy'],
  },
  {
    name: 'an account key of Azure',
    text: `DefaultEndpointsProtocol=https;AccountName=acmestore;AccountKey=${AZURE};EndpointSuffix=core.windows.net`,
    leaks: ['acmestore', 'Eby8vdM0', 'SZFPTOtr'],
  },
  { name: 'a bucket by its ARN', text: 'AccessDenied on arn:aws:s3:::acme-ckpt/run-7/*', leaks: ['acme-ckpt'] },
  {
    name: 'a role by its ARN',
    text: 'User: arn:aws:sts::123456789012:assumed-role/acme-train/i-0abc is not authorized',
    leaks: ['123456789012', 'acme-train', 'i-0abc'],
  },
  { name: 'an instance of EC2', text: 'instance i-0abcd1234ef567890 is terminating', leaks: ['0abcd1234ef567890'] },
  {
    name: 'a service account of Google',
    text: 'acting as trainer@acme-ml.iam.gserviceaccount.com',
    leaks: ['trainer@', 'acme-ml'],
  },
  {
    name: 'a private key over lines',
    text: '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKC\nshortline\n-----END RSA PRIVATE KEY-----',
    leaks: ['MIIEowIBAAKC', 'shortline'],
  },
  {
    name: 'a private key in one JSON text',
    text: String.raw`"private_key": "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADAN\n-----END PRIVATE KEY-----\n"`,
    leaks: ['MIIEvQIBADAN'],
  },
  {
    name: 'a private key that is cut',
    text: '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r',
    leaks: ['b3BlbnNzaC1r'],
  },
  {
    name: 'a public key of ssh',
    text: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ dora@laptop-d',
    leaks: ['AAAAC3NzaC1l', 'dora', 'laptop-d'],
  },
  {
    name: 'IPv6 with a port',
    text: 'connect to [2001:db8:42:7::19]:29500 failed',
    leaks: ['2001:db8', '::19'],
    stays: '29500',
  },
  {
    name: 'IPv6 beside a colon',
    text: 'peer 2001:db8::a17: connection reset',
    leaks: ['2001:db8'],
    stays: 'connection reset',
  },
  { name: 'IPv6 with a prefix length', text: 'podCIDR fd00:10:244::/64', leaks: ['fd00:10:244'] },
  {
    name: 'IPv6 in an address of a service',
    text: 'tcp://[fd00:10:244:1::5]:29500',
    leaks: ['fd00:10'],
    stays: '29500',
  },
  {
    name: 'IPv6 of NCCL',
    text: 'NCCL INFO NET/Socket : Using [0]eth0:fe80::a8bb:ccff:fe12:3456%eth0<0>',
    leaks: ['a8bb:ccff'],
    stays: 'eth0:',
  },
  { name: 'IPv4 of NCCL', text: 'Bootstrap : Using eth0:10.42.7.19<0>', leaks: ['10.42.7.19'], stays: 'eth0' },
  { name: 'IPv4 with dashes', text: 'rank 0 at 10-42-7-19.ml.pod.cluster.local', leaks: ['10-42-7-19'] },
  {
    name: 'a LID and GUID of InfiniBand',
    text: 'mlx5_0 port GUID 0x506b4b0300c1d2e4 link down',
    leaks: ['506b4b0300c1d2e4'],
    stays: 'mlx5_0',
  },
  { name: 'a GID of RoCE', text: 'GID 0000:0000:0000:0000:0000:ffff:0a2a:0713 local', leaks: ['0a2a:0713'] },
  {
    name: 'an e-mail address in angle brackets',
    text: 'From: Erin <erin.o+ml@mail.acme.example>',
    leaks: ['erin.o', 'mail.acme'],
  },
  {
    name: 'an e-mail address with an umlaut',
    text: 'jürgen.groß@acme.example ran it',
    leaks: ['rgen.gro', 'acme.example'],
  },
  {
    name: 'a user in a path of a traceback',
    text: 'File "/home/frank.l/code/train.py", line 3, in <module>',
    leaks: ['frank.l'],
    stays: 'train.py',
  },
  { name: 'a user in a path of macOS', text: 'File "/Users/grace/code/train.py", line 3', leaks: ['grace'] },
  { name: 'a user in a path of Windows', text: String.raw`C:\Users\heidi\code\train.py`, leaks: ['heidi'] },
  {
    name: 'a user in an escaped path of Windows',
    text: String.raw`"path": "C:\\Users\\heidi\\code\\train.py"`,
    leaks: ['heidi'],
  },
  {
    name: 'a path on a file server of Windows',
    text: String.raw`\\filer01\ml\ivan\train.py`,
    leaks: ['filer01', 'ivan'],
  },
  { name: 'a user below a path with a tilde', text: 'python ~judy/run/train.py', leaks: ['judy'] },
  { name: 'a path with a blank in quotes', text: 'File "/mnt/acme data/kim/train.py", line 1', leaks: ['acme', 'kim'] },
  { name: 'a path in a scheme of files', text: 'file:///home/leo/init_store', leaks: ['leo'] },
  {
    name: 'a host in a traceback',
    text: "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='minio.acme.example', port=9000)",
    leaks: ['minio.acme'],
    stays: '9000',
  },
  {
    name: 'a host that could not be looked up',
    text: 'socket.gaierror: could not resolve trainer-head.acme-ml',
    leaks: ['trainer-head', 'acme-ml'],
  },
  { name: 'a host of torchrun', text: '[host: gpu-b17] exitcode: 1', leaks: ['gpu-b17'] },
  {
    name: 'a host of a torchelastic summary',
    text: '  host      : node-c9.acme.example\n  rank      : 3',
    leaks: ['node-c9', 'acme'],
    stays: 'rank      : 3',
  },
  {
    name: 'a host of a syslog line',
    text: 'Mar  3 10:00:01 dgx-acme-07 kernel: NVRM: Xid 79',
    leaks: ['dgx-acme-07'],
    stays: 'Xid 79',
  },
  {
    name: 'a host of ssh',
    text: 'ssh -i /root/.ssh/id_rsa mallory@gpu-d4 nvidia-smi',
    leaks: ['mallory', 'gpu-d4'],
    stays: 'nvidia-smi',
  },
  { name: 'a host of a prompt', text: 'niaj@gpu-e5:/tmp$ python train.py', leaks: ['niaj', 'gpu-e5'] },
  {
    name: 'a name of the zone of the cloud',
    text: 'Node gke-acme-pool-1a2b3c4d-xyz9 status is now: NodeNotReady',
    leaks: ['gke-acme-pool'],
  },
  // YAML
  { name: 'an environment value beside its name', text: `- name: HF_TOKEN\n  value: ${HF}`, leaks: [HF.slice(3)] },
  {
    name: 'a password of the environment',
    text: '- name: DB_PASSWORD\n  value: hunter2hunter',
    leaks: ['hunter2hunter'],
  },
  { name: 'a wandb key of the environment', text: `- name: WANDB_API_KEY\n  value: "${WANDB}"`, leaks: [WANDB] },
  {
    name: 'values of the environment in JSON',
    text: '{"name":"MLFLOW_TRACKING_PASSWORD","value":"olivia-secret"}',
    leaks: ['olivia-secret'],
  },
  { name: 'the data of a secret', text: 'kind: Secret\ndata:\n  password: aHVudGVyMg==', leaks: ['aHVudGVyMg'] },
  {
    name: 'a registry of an image without a tag',
    text: 'image: registry.acme.example/ml/train',
    leaks: ['registry.acme', 'ml/train'],
  },
  {
    name: 'a registry with a port and no dot',
    text: 'image: registry:5000/acme/train:v3',
    leaks: ['acme/train', 'registry:5000'],
  },
  { name: 'an image of a public hub', text: 'Pulling image "acmecorp/trainer:2024"', leaks: ['acmecorp'] },
  { name: 'an image of a public registry', text: 'image: ghcr.io/acme/train:v3', leaks: ['acme/train'] },
  { name: "an image of nvcr.io that is not NVIDIA's", text: 'image: nvcr.io/acme-org/train:v3', leaks: ['acme-org'] },
  {
    name: 'an image with a digest',
    text: 'imageID: docker-pullable://eu.gcr.io/acme-1/train@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    leaks: ['acme-1', '0123456789abcdef01'],
  },
  { name: 'a pull secret', text: 'imagePullSecrets:\n  - name: acme-registry', leaks: ['acme-registry'] },
  {
    name: 'a registry login',
    text: `{"auths":{"reg.acme.example":{"auth":"Y2Fyb2w6aHVudGVyMg=="}}}`,
    leaks: ['reg.acme', 'Y2Fyb2w6'],
  },
  { name: 'a NFS server', text: 'nfs:\n  server: nas-3\n  path: /exports/acme', leaks: ['nas-3', 'acme'] },
  { name: 'a service account', text: 'serviceAccountName: acme-train-sa', leaks: ['acme-train-sa'] },
  { name: 'a service account token', text: `token: ${JWT}`, leaks: [JWT.slice(10, 40)] },
  {
    name: 'a service account by its full name',
    text: 'system:serviceaccount:ml-acme:acme-sa cannot get',
    leaks: ['ml-acme', 'acme-sa'],
  },
  { name: 'the end of the owner of the Pod', text: 'owner: peggy@acme.example', leaks: ['peggy', 'acme'] },
  // JSON
  {
    name: 'a refresh token',
    text: '{"refresh_token":"1//0gAbCdEf","client_secret":"GOCSPX-abcdef"}',
    leaks: ['1//0gAbCdEf', '0gAbCdEf', 'GOCSPX-abcdef'],
  },
  {
    name: 'a password with blanks',
    text: '{"password": "correct horse battery"}',
    leaks: ['correct', 'horse', 'battery'],
  },
  { name: 'a short password', text: 'password=abc', leaks: ['abc'] },
  { name: 'a password with signs', text: 'PGPASSWORD=p,a;s(s)w0rd psql', leaks: ['s(s)w0rd', 'p,a'] },
  { name: 'a password with an escaped quote', text: String.raw`"password": "se\"cret-tail"`, leaks: ['cret-tail'] },
  { name: 'escaped JSON in a log', text: String.raw`body={\"api_key\": \"qq11ww22ee33\"}`, leaks: ['qq11ww22ee33'] },
  // argv
  {
    name: 'a token of the command line',
    text: `python train.py --hf-token ${HF} --lr 3e-4`,
    leaks: [HF.slice(3)],
    stays: '--lr 3e-4',
  },
  { name: 'a password of the command line', text: 'mysql --password trudy-pw --host db', leaks: ['trudy-pw'] },
  {
    name: 'a password of a short option',
    text: 'curl -u victor:letmein1 https://api.acme.example/x',
    leaks: ['victor', 'letmein1', 'api.acme'],
  },
  {
    name: 'a key of argv in JSON',
    text: '["--wandb-api-key", "abcd-1234-efgh", "--lr", "1"]',
    leaks: ['abcd-1234-efgh'],
    stays: '--lr',
  },
  {
    name: 'an address with a password',
    text: 'git+https://walter:s3cr3t@git.acme.example/ml.git',
    leaks: ['walter', 's3cr3t', 'git.acme'],
  },
  {
    name: 'an address of a database',
    text: 'postgresql+psycopg2://app:pw12@db-1:5432/mlflow',
    leaks: ['app:pw12', 'db-1'],
  },
  { name: 'a clone over ssh', text: 'git@git.acme.example:ml/train.git', leaks: ['git.acme', 'ml/train'] },
  {
    name: 'tokens of other makers',
    text: [
      GH,
      SLACK,
      key('npm', '_', 'a'.repeat(10), 'B1'.repeat(13)),
      key('dop_v1_', '0a'.repeat(32)),
      key('dckr_pat_', 'AbCd1234EfGh5678IjKl'),
      key('pypi-', 'AgEIcHlwaS5vcmcCJ'),
      key('r8_', 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456'),
      key('ya29.', 'a0AfH6SMBx-abcdefgh'),
      key('sk_live_', '4eC39HqLyjWDarjtT1zdp7dc'),
    ].join(' '),
    leaks: [
      'a1B2c3D4',
      'abcdefGHIJKL',
      'aaaaaaaaaa',
      '0a0a0a0a',
      'AbCd1234EfGh',
      'AgEIcHlw',
      'AbCdEfGhIjKl',
      'a0AfH6SM',
      '4eC39HqL',
    ],
  },
  { name: 'an AWS secret without a name', text: `aws configure set x ${AWS_SECRET}`, leaks: [AWS_SECRET] },
  {
    name: 'an environment dump of a shell',
    text: `declare -x NGC_API_KEY="${key('bnZh', 'cGkxMjM0NTY3ODkw')}"`,
    leaks: ['cGkxMjM0NTY3'],
  },
  {
    name: 'a secret split by a colour',
    text: `${HF.slice(0, 12)}\u001b[0m${HF.slice(12)}`,
    leaks: [HF.slice(3, 12), HF.slice(14)],
  },
  { name: 'a key in fullwidth letters', text: 'ｐａｓｓｗｏｒｄ＝ｈｕｎｔｅｒ２２', leaks: ['ｈｕｎｔｅｒ'] },
  {
    name: 'a percent-encoded address',
    text: 'callback=https%3A%2F%2Fhub.acme.example%2Fuser%2Fxena',
    leaks: ['acme', 'xena'],
  },
  { name: 'IPv4 in fullwidth digits', text: '１０.４２.７.１９', leaks: ['４２'] },
];
