import { clusterDriverSuite } from './cluster-driver-suite.ts';
import { openGkeWorld } from './gke-world.ts';

clusterDriverSuite('gke', { open: openGkeWorld });
