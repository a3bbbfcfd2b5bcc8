import { KubernetesApi } from '../landscape/kubernetes/kubernetes-api.ts';
import { startKubernetesServer } from '../landscape/kubernetes/kubernetes-server.ts';
import { createCertificateAuthority } from '../landscape/tls/certificate-authority.ts';

// The process behind bench/apply.ts: API servers in memory, as many as it is told, one for each run.
const count = Number(process.argv[2]);
const names = Array.from({ length: count }, (_, index) => `clusters/${index}`);
const apis = names.map((name) => new KubernetesApi({ name, establishDelayMilliseconds: 5 }));
const server = await startKubernetesServer({ port: 0, authority: createCertificateAuthority({ name: 'bench' }), apis });
const who = { user: 'bench', groups: ['system:masters'], lifetimeSeconds: 3_600 };
process.send?.(names.map((api) => server.issueKubeconfig({ api, ...who }).kubeconfig));
process.once('disconnect', () => process.exit());
