import { clusterDriverSuite } from './cluster-driver-suite.ts';
import { openGardenerWorld } from './gardener-world.ts';

clusterDriverSuite('gardener', { open: openGardenerWorld });
