import type { AwsSite } from '../terraform/sites/aws-site.ts';
import { Patient } from './patient.ts';
import type { Row } from './row.ts';

/** A stack that real Terraform builds in an AWS of its own, and the hands behind Terraform's back. */
export class TerraformPatient extends Patient {
  readonly site: AwsSite;

  constructor(site: AwsSite) {
    // Its rows take minutes, and so few jobs are enough to see who serves.
    super(site.world, site, 1000);
    this.site = site;
  }

  override wrongAtRest(): Promise<string[]> {
    return this.site.wrongAtRest();
  }

  /** Its machine and its log, in AWS itself; Terraform's state goes on telling of both. */
  async loseResources(shard: string): Promise<void> {
    const { id } = this.machineOf(shard);
    await this.site.moto.ec2('TerminateInstances', { 'InstanceId.1': id });
    await this.terminate(shard);
    await this.site.moto.removeLogGroup(`/gitlab-runner/${shard}-linux`);
  }

  loseState(shard: string): Promise<void> {
    return this.site.moto.removeObject('states', `linux/${shard}.tfstate`);
  }
}

/** What Terraform knows and what AWS has, broken apart. */
export const terraformRows: readonly Row<TerraformPatient>[] = [
  {
    name: 'Terraform state of the candidate lost, its resources alive',
    async spoil(patient) {
      await patient.run('prepare', 'provision --until healthy');
      await patient.loseState(patient.inactive());
    },
  },
  {
    name: 'resources of the candidate gone, its Terraform state alive',
    async spoil(patient) {
      await patient.run('prepare', 'provision --until healthy');
      await patient.loseResources(patient.inactive());
    },
  },
  {
    name: 'Terraform state of the active shard lost, its resources alive',
    spoil: (patient) => patient.loseState(patient.active()),
    // Doctor says how: a log holds what cannot be brought back.
    byHand: (patient) =>
      patient.site.moto.removeLogGroup(`/gitlab-runner/${patient.inactive()}-linux`),
  },
];
