import { openOwnProcess } from '../setup/sdk-target';
import { describeSdkRecords } from '../suites/sdk-records';

describeSdkRecords(openOwnProcess);
