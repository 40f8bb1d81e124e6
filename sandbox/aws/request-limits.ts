/** Limits of a member of a request, as in AWS's API references. */
export interface Limit {
  readonly isRequired?: true;
  /** Length of a text, or number of entries of a list. */
  readonly length?: readonly [least: number, most: number];
  readonly range?: readonly [least: number, most: number];
  readonly pattern?: RegExp;
  readonly oneOf?: readonly string[];
}

/** Limits by member. `Tags[].Key` is a member of each entry of a list. */
export type Limits = Readonly<Record<string, Limit>>;

const name: Limit = { isRequired: true, length: [1, 2048] };
const instanceId: Limit = { pattern: /^(?:i-(?:\w{8}|\w{17})|mi-\w{17})$/ };
const commandId: Limit = { length: [36, 36] };
const documentName: Limit = { isRequired: true, pattern: /^[a-zA-Z0-9_\-.:/]{3,128}$/ };
const documentVersion: Limit = { pattern: /^(?:\$LATEST|\$DEFAULT|[1-9]\d*)$/ };
const tags: Limits = {
  Tags: { length: [0, 1000] },
  'Tags[].Key': { isRequired: true, length: [1, 128], pattern: /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u },
  'Tags[].Value': { isRequired: true, length: [0, 256], pattern: /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u },
};
const parameterFilters: Limits = {
  'ParameterFilters[].Key': {
    isRequired: true,
    pattern: /^(?:tag:.+|Name|Type|KeyId|Path|Label|Tier|DataType)$/,
  },
  'ParameterFilters[].Option': { length: [1, 10] },
  'ParameterFilters[].Values': { length: [1, 50] },
};
const roleName: Limit = { isRequired: true, length: [1, 64], pattern: /^[\w+=,.@-]+$/ };
const profileName: Limit = { isRequired: true, length: [1, 128], pattern: /^[\w+=,.@-]+$/ };
const assumedRole: Limits = {
  RoleArn: { isRequired: true, length: [20, 2048] },
  RoleSessionName: { isRequired: true, length: [2, 64], pattern: /^[\w+=,.@-]*$/ },
  DurationSeconds: { range: [900, 43_200] },
};
const groupName: Limit = { isRequired: true, length: [1, 255] };

/**
 * Limits of each operation of the sandbox, from the API references at docs.aws.amazon.com. EC2
 * publishes none: its operations check their own values.
 */
export const limitsOf: Readonly<Record<string, Limits>> = {
  GetParameter: { Name: name },
  GetParameters: { Names: { isRequired: true, length: [1, 10] } },
  GetParametersByPath: {
    Path: { isRequired: true, length: [1, 2048] },
    MaxResults: { range: [1, 10] },
    ...parameterFilters,
  },
  GetParameterHistory: { Name: name, MaxResults: { range: [1, 50] } },
  DescribeParameters: { MaxResults: { range: [1, 50] }, ...parameterFilters },
  PutParameter: {
    Name: name,
    Value: { isRequired: true },
    Description: { length: [0, 1024] },
    Type: { oneOf: ['String', 'StringList', 'SecureString'] },
    KeyId: { length: [1, 256], pattern: /^[a-zA-Z0-9:/_-]+$/ },
    AllowedPattern: { length: [0, 1024] },
    Tier: { oneOf: ['Standard', 'Advanced', 'Intelligent-Tiering'] },
    DataType: { length: [0, 128] },
    ...tags,
  },
  DeleteParameter: { Name: name },
  LabelParameterVersion: {
    Name: name,
    Labels: { isRequired: true, length: [1, 10] },
    'Labels[]': { length: [1, 100] },
  },
  AddTagsToResource: {
    ResourceType: {
      isRequired: true,
      oneOf: [
        'Document',
        'ManagedInstance',
        'MaintenanceWindow',
        'Parameter',
        'PatchBaseline',
        'OpsItem',
        'OpsMetadata',
        'Automation',
        'Association',
      ],
    },
    ResourceId: { isRequired: true },
    ...tags,
    Tags: { isRequired: true, length: [0, 1000] },
  },
  SendCommand: {
    DocumentName: documentName,
    DocumentVersion: documentVersion,
    DocumentHash: { length: [0, 256] },
    DocumentHashType: { oneOf: ['Sha256', 'Sha1'] },
    InstanceIds: { length: [0, 50] },
    'InstanceIds[]': instanceId,
    Targets: { length: [0, 5] },
    'Targets[].Key': { length: [1, 163] },
    'Targets[].Values': { length: [0, 50] },
    TimeoutSeconds: { range: [30, 2_592_000] },
    Comment: { length: [0, 100] },
  },
  GetCommandInvocation: {
    CommandId: { ...commandId, isRequired: true },
    InstanceId: { ...instanceId, isRequired: true },
  },
  ListCommandInvocations: {
    CommandId: commandId,
    InstanceId: instanceId,
    MaxResults: { range: [1, 50] },
    Filters: { length: [1, 5] },
    'Filters[].key': {
      isRequired: true,
      oneOf: ['InvokedAfter', 'InvokedBefore', 'Status', 'ExecutionStage', 'DocumentName'],
    },
    'Filters[].value': { isRequired: true, length: [1, 128] },
  },
  CancelCommand: {
    CommandId: { ...commandId, isRequired: true },
    InstanceIds: { length: [0, 50] },
    'InstanceIds[]': instanceId,
  },
  DescribeInstanceInformation: {
    MaxResults: { range: [5, 50] },
    'Filters[].Key': { isRequired: true, length: [1, 1024] },
    'Filters[].Values': { isRequired: true, length: [1, 100] },
    'InstanceInformationFilterList[].key': {
      isRequired: true,
      oneOf: [
        'InstanceIds',
        'AgentVersion',
        'PingStatus',
        'PlatformTypes',
        'ActivationIds',
        'IamRole',
        'ResourceType',
        'AssociationStatus',
      ],
    },
    'InstanceInformationFilterList[].valueSet': { isRequired: true, length: [1, 100] },
  },
  DescribeDocument: { Name: documentName, DocumentVersion: documentVersion },
  CreateDocument: {
    Name: { isRequired: true, pattern: /^[a-zA-Z0-9_\-.]{3,128}$/ },
    Content: { isRequired: true, length: [1, Number.POSITIVE_INFINITY] },
    DocumentFormat: { oneOf: ['YAML', 'JSON', 'TEXT'] },
    ...tags,
  },
  UpdateDocument: {
    Name: documentName,
    Content: { isRequired: true, length: [1, Number.POSITIVE_INFINITY] },
    DocumentVersion: documentVersion,
    DocumentFormat: { oneOf: ['YAML', 'JSON', 'TEXT'] },
  },
  GetResources: {
    ResourcesPerPage: { range: [1, 100] },
    TagFilters: { length: [0, 50] },
    'TagFilters[].Key': { length: [1, 128] },
    'TagFilters[].Values': { length: [0, 20] },
    ResourceARNList: { length: [1, 100] },
  },
  DescribeAlarms: {
    AlarmNames: { length: [0, 100] },
    'AlarmNames[]': { length: [1, 255] },
    AlarmNamePrefix: { length: [1, 255] },
    'AlarmTypes[]': { oneOf: ['CompositeAlarm', 'MetricAlarm', 'LogAlarm'] },
    StateValue: { oneOf: ['OK', 'ALARM', 'INSUFFICIENT_DATA'] },
    MaxRecords: { range: [1, 100] },
  },
  DescribeAutoScalingGroups: {
    'AutoScalingGroupNames[]': { length: [1, 255] },
    MaxRecords: { range: [1, 100] },
  },
  DescribeLifecycleHooks: {
    AutoScalingGroupName: groupName,
    LifecycleHookNames: { length: [0, 50] },
  },
  CompleteLifecycleAction: {
    AutoScalingGroupName: groupName,
    LifecycleHookName: { isRequired: true, length: [1, 255], pattern: /^[A-Za-z0-9\-_/]+$/ },
    LifecycleActionResult: { isRequired: true },
    LifecycleActionToken: { length: [36, 36] },
    InstanceId: { length: [1, 19] },
  },
  AssumeRole: assumedRole,
  AssumeRoleWithWebIdentity: {
    ...assumedRole,
    WebIdentityToken: { isRequired: true, length: [4, 20_000] },
  },
  SimulatePrincipalPolicy: {
    PolicySourceArn: { isRequired: true, length: [20, 2048] },
    ActionNames: { isRequired: true },
    'ActionNames[]': { length: [3, 128] },
    'ResourceArns[]': { length: [1, 2048] },
    MaxItems: { range: [1, 1000] },
  },
  GetRole: { RoleName: roleName },
  GetInstanceProfile: { InstanceProfileName: profileName },
  ListInstanceProfilesForRole: { RoleName: roleName, MaxItems: { range: [1, 1000] } },
  ListAttachedRolePolicies: { RoleName: roleName, MaxItems: { range: [1, 1000] } },
  ListRolePolicies: { RoleName: roleName, MaxItems: { range: [1, 1000] } },
  DetachRolePolicy: { RoleName: roleName, PolicyArn: { isRequired: true, length: [20, 2048] } },
  DeleteRolePolicy: { RoleName: roleName, PolicyName: profileName },
  RemoveRoleFromInstanceProfile: { RoleName: roleName, InstanceProfileName: profileName },
  DeleteRole: { RoleName: roleName },
  DeleteInstanceProfile: { InstanceProfileName: profileName },
};
