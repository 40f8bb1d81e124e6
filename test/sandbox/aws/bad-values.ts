/** A request with a value that AWS refuses, with the response that a source documents. */
export interface BadValue {
  readonly operation: string;
  readonly bad: string;
  /** Request without the values that `usual` adds. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly code: string;
  readonly message: string;
  /** Page below docs.aws.amazon.com, or another source. */
  readonly source: string;
}

const ssm = 'systems-manager/latest/APIReference';
const validation = (
  operation: string,
  bad: string,
  request: BadValue['request'],
  message: string,
): BadValue => ({
  operation,
  bad,
  request,
  code: 'ValidationException',
  message,
  source: `${ssm}/API_${operation}.html`,
});

export const badParameters: readonly BadValue[] = [
  validation('GetParameter', 'no name', {}, "Value null at 'name'"),
  validation(
    'GetParameter',
    'a name of 2,049 characters',
    { Name: `/${'n'.repeat(2048)}` },
    '2048',
  ),
  validation('GetParametersByPath', '11 results', { Path: '/a', MaxResults: 11 }, 'equal to 10'),
  validation(
    'GetParametersByPath',
    'an unknown filter',
    { Path: '/a', ParameterFilters: [{ Key: 'Bogus' }] },
    'parameterFilters.key',
  ),
  validation('GetParameterHistory', '51 results', { Name: '/old', MaxResults: 51 }, 'equal to 50'),
  validation('DescribeParameters', '0 results', { MaxResults: 0 }, 'than or equal to 1'),
  validation(
    'PutParameter',
    'an unknown type',
    { Name: '/new', Value: 'x', Type: 'Bogus' },
    '[String, StringList, SecureString]',
  ),
  validation(
    'PutParameter',
    'an unknown tier',
    { Name: '/new', Value: 'x', Type: 'String', Tier: 'Bogus' },
    'Intelligent-Tiering',
  ),
  validation('PutParameter', 'no value', { Name: '/new', Type: 'String' }, "null at 'value'"),
  validation(
    'PutParameter',
    'a reference to another parameter',
    { Name: '/new', Value: '{{ssm:x}}', Type: 'String' },
    "can't nest another parameter",
  ),
  validation(
    'PutParameter',
    '4,097 bytes in the tier Standard',
    { Name: '/new', Value: 'x'.repeat(4097), Type: 'String' },
    '4096',
  ),
  validation(
    'PutParameter',
    '8,193 bytes in the tier Advanced',
    { Name: '/new', Value: 'x'.repeat(8193), Type: 'String', Tier: 'Advanced' },
    '8192',
  ),
  validation(
    'PutParameter',
    'a description of 1,025 characters',
    { Name: '/new', Value: 'x', Type: 'String', Description: 'x'.repeat(1025) },
    "at 'description'",
  ),
  {
    operation: 'PutParameter',
    bad: 'another type',
    request: { Name: '/old', Value: 'x', Type: 'SecureString', Overwrite: true },
    code: 'HierarchyTypeMismatchException',
    message: "doesn't support changing a parameter type",
    source: `${ssm}/API_PutParameter.html`,
  },
  {
    operation: 'PutParameter',
    bad: 'a number as value',
    request: { Name: '/new', Value: 1, Type: 'String' },
    code: 'SerializationException',
    message: 'NUMBER_VALUE can not be converted to a String',
    source: 'smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html',
  },
  {
    operation: 'GetParameterHistory',
    bad: 'a text as number',
    request: { Name: '/old', MaxResults: '5' },
    code: 'SerializationException',
    message: 'STRING_VALUE can not be converted to an Integer',
    source: 'smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html',
  },
  validation(
    'LabelParameterVersion',
    '11 labels',
    { Name: '/old', Labels: Array.from({ length: 11 }, (_, at) => `l${at}`) },
    'equal to 10',
  ),
  validation(
    'AddTagsToResource',
    'an unknown type of resource',
    { ResourceType: 'Bogus', ResourceId: '/old', Tags: [{ Key: 'a', Value: 'b' }] },
    "at 'resourceType'",
  ),
  validation(
    'AddTagsToResource',
    'a tag with a forbidden character',
    { ResourceType: 'Parameter', ResourceId: '/old', Tags: [{ Key: 'a*', Value: 'b' }] },
    "at 'tags.key'",
  ),
];

const command = '00000000-0000-4000-8000-000000000000';
const shell = { DocumentName: 'AWS-RunShellScript', Parameters: { commands: ['true'] } };
const instance = 'i-00000000000000000';

export const badCommands: readonly BadValue[] = [
  validation('SendCommand', 'no document', { InstanceIds: [instance] }, "null at 'documentName'"),
  validation(
    'SendCommand',
    'a malformed instance id',
    { ...shell, InstanceIds: ['bogus'] },
    "at 'instanceIds'",
  ),
  validation(
    'SendCommand',
    'a delivery timeout of 29 s',
    { ...shell, InstanceIds: [instance], TimeoutSeconds: 29 },
    'equal to 30',
  ),
  validation(
    'SendCommand',
    'a comment of 101 characters',
    { ...shell, InstanceIds: [instance], Comment: 'x'.repeat(101) },
    'equal to 100',
  ),
  validation(
    'GetCommandInvocation',
    'a short command id',
    { CommandId: 'x', InstanceId: instance },
    "at 'commandId'",
  ),
  validation(
    'ListCommandInvocations',
    'an unknown filter',
    { Filters: [{ key: 'Bogus', value: 'x' }] },
    "at 'filters.key'",
  ),
  validation('ListCommandInvocations', '51 results', { MaxResults: 51 }, 'equal to 50'),
  validation('CancelCommand', 'a short command id', { CommandId: 'x' }, "at 'commandId'"),
  validation('DescribeInstanceInformation', '3 results', { MaxResults: 3 }, 'equal to 5'),
  validation(
    'DescribeInstanceInformation',
    'an unknown filter',
    { InstanceInformationFilterList: [{ key: 'Bogus', valueSet: ['x'] }] },
    "at 'instanceInformationFilterList.key'",
  ),
  validation('DescribeDocument', 'a short name', { Name: 'x' }, "at 'name'"),
  validation('CreateDocument', 'no content', { Name: 'runner' }, "null at 'content'"),
  {
    operation: 'GetCommandInvocation',
    bad: 'an unknown command',
    request: { CommandId: command, InstanceId: instance },
    code: 'InvocationDoesNotExist',
    message: '',
    source: `${ssm}/API_GetCommandInvocation.html`,
  },
];

/** Requests to the other services with a JSON protocol. The operation includes the service. */
export const badLists: readonly BadValue[] = [
  validation(
    'GraniteServiceVersion20100801.DescribeAlarms',
    '101 alarms',
    { MaxRecords: 101 },
    '100',
  ),
  validation(
    'GraniteServiceVersion20100801.DescribeAlarms',
    'an unknown type',
    { AlarmTypes: ['Bogus'] },
    '[CompositeAlarm, MetricAlarm, LogAlarm]',
  ),
  validation(
    'GraniteServiceVersion20100801.DescribeAlarms',
    'an unknown state',
    { StateValue: 'BOGUS' },
    'INSUFFICIENT_DATA',
  ),
  validation(
    'GraniteServiceVersion20100801.DescribeAlarms',
    '101 names',
    { AlarmNames: Array.from({ length: 101 }, (_, at) => `alarm-${at}`) },
    'equal to 100',
  ),
  validation(
    'ResourceGroupsTaggingAPI_20170126.GetResources',
    '51 filters',
    { TagFilters: Array.from({ length: 51 }, () => ({ Key: 'a' })) },
    'equal to 50',
  ),
  validation(
    'ResourceGroupsTaggingAPI_20170126.GetResources',
    '101 resources on a page',
    { ResourcesPerPage: 101 },
    'equal to 100',
  ),
];
