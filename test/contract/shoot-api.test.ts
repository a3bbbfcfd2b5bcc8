import { test } from 'node:test';
import { KubernetesApi } from '../../landscape/kubernetes/kubernetes-api.ts';
import { startKubernetesServer } from '../../landscape/kubernetes/kubernetes-server.ts';
import { createCertificateAuthority } from '../../landscape/tls/certificate-authority.ts';
import { clusterDriverSuite } from './cluster-driver-suite.ts';
import { startRealApiServer } from './real-api-server.ts';
import { type BareApiServer, openShootApiWorld, withoutGardener } from './shoot-api-world.ts';

const assets = process.env.KUBEBUILDER_ASSETS;

/** The landscape's own API server, of which the Garden is one. */
async function startLandscapeApiServer(): Promise<BareApiServer> {
  const authority = createCertificateAuthority({ name: 'bare' });
  const api = new KubernetesApi({ name: 'bare', establishDelayMilliseconds: 5 });
  const server = await startKubernetesServer({ port: 0, authority, apis: [api] });
  const identity = { api: 'bare', user: 'admin', groups: ['system:masters'], lifetimeSeconds: 3600 };
  const { kubeconfig } = server.issueKubeconfig(identity);
  return { kubeconfig, stop: () => server.close() };
}

// The same tests on both: what holds on one and not on the other is a mistake in the landscape.
clusterDriverSuite('gardener, on Shoots that are custom resources of the landscape', {
  open: () => openShootApiWorld(startLandscapeApiServer),
  only: withoutGardener,
});

if (assets) {
  clusterDriverSuite('gardener, on Shoots that are custom resources of a real kube-apiserver', {
    open: () => openShootApiWorld(() => startRealApiServer({ assets })),
    only: withoutGardener,
  });
} else {
  const reason = 'needs a real API server: set KUBEBUILDER_ASSETS to a folder with etcd and kube-apiserver';
  test('gardener, on Shoots that are custom resources of a real kube-apiserver', { skip: reason }, () => undefined);
}
