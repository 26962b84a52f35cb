import { openOwnProcess } from '../setup/sdk-target';
import { describeSdkAccounts } from '../suites/sdk-accounts';

describeSdkAccounts(openOwnProcess);
