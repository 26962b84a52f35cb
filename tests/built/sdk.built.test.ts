import { openBuiltConsole } from '../setup/sdk-target';
import { describeSdkRecords } from '../suites/sdk-records';

describeSdkRecords(openBuiltConsole);
