import { openBuiltConsole } from '../setup/sdk-target';
import { describeSdkAccounts } from '../suites/sdk-accounts';

describeSdkAccounts(openBuiltConsole);
